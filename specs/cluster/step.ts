import type { Cluster } from './fixtures/cluster.ts';

export const scenarioNames = ['install', 'idle', 'services', 'databases', 'environments', 'build'] as const;

type ScenarioName = (typeof scenarioNames)[number];

/** A step of a scenario: it fails by throwing, and says what it saw. */
export interface Step {
  readonly scenario: ScenarioName;
  readonly title: string;
  /** Steps of these titles must have passed before. */
  readonly after?: readonly string[];
  /** Not one of those that every change must pass, and why. */
  readonly optional?: string;
  /** Why it cannot be run here; null where it can. */
  readonly lacks?: () => string | null;
  readonly run: () => Promise<string>;
}

/** What the steps are made over. */
export type Steps = (cluster: Cluster) => readonly Step[];

/** What only a cluster of this machine can do. */
export function machineOf({ machine }: Cluster) {
  if (machine === null) throw new Error('the cluster is not of this machine');
  return machine;
}

export const needsMachine = ({ machine }: Cluster): string | null =>
  machine === null ? 'needs a cluster that npm run real started' : null;

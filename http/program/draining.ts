import { setTimeout as pause } from 'node:timers/promises';
import { inCluster } from '../../runtime/services/kube/config.ts';
import type { Running } from './running.ts';
import type { Settings } from './settings.ts';

/** By then every node of the cluster has heard that this process receives no requests. */
export const drainMs = 5_000;

export interface Draining {
  /** Whether it was asked to end. */
  readonly stops: () => boolean;
  /** Undefined where no Service leads here. */
  readonly drain: Running['drain'];
}

/** How a process drains: it leads no longer, and serves on for those who still come. */
export function makeDraining({ kubeconfig }: Settings, resign: () => Promise<void>): Draining {
  let stops = false;
  const drain = async () => {
    stops = true;
    // The stop waits for the same and reports its failure.
    resign().catch(() => {});
    await pause(drainMs);
  };
  return { stops: () => stops, drain: kubeconfig === inCluster ? drain : undefined };
}

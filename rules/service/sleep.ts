import type { AppSpec } from '../../crds/coreApp.ts';
import type { CoreCluster } from '../../crds/coreCluster.ts';
import { isAutoscaled } from './effective.ts';

/** What sleeping depends on. */
export interface SleepSeen {
  readonly spec: AppSpec;
  readonly cluster: CoreCluster | undefined;
  /** Whether the cluster knows the kinds of the add-on. */
  readonly isServed: boolean;
  /** The host that leads to the service; empty where none does. */
  readonly host: string;
}

/** What keeps a service awake. */
export type SleepBlocker = 'addOnOff' | 'addOnNotServed' | 'noHost' | 'autoscaling' | 'addOnRefused';

interface Reason {
  readonly blocker: SleepBlocker;
  readonly when: (seen: SleepSeen) => boolean;
  readonly says: string;
}

/** Why a service cannot sleep, in the order checked (002 scale). */
const reasons: readonly Reason[] = [
  {
    blocker: 'addOnOff',
    when: ({ cluster }) => cluster?.spec.addons?.serverless !== true,
    says: 'the serverless add-on is off in the cluster settings',
  },
  {
    blocker: 'addOnNotServed',
    when: ({ isServed }) => !isServed,
    says: 'the serverless add-on is switched on, not there yet',
  },
  { blocker: 'noHost', when: ({ host }) => host === '', says: 'the service has no public host' },
  { blocker: 'autoscaling', when: ({ spec }) => isAutoscaled(spec), says: 'CPU autoscaling is on' },
];

/** The add-on was asked, and refused. */
export const sleepRefused = 'the serverless add-on cannot count its requests';

/** What keeps a service awake, by the message of its status, which these rules write; null for any other text. */
export const sleepBlockerOf = (message: string): SleepBlocker | null =>
  message === sleepRefused ? 'addOnRefused' : (reasons.find(({ says }) => says === message)?.blocker ?? null);

/** Why a service that is to sleep stays awake; null where nothing keeps it from sleeping, or nobody asked for it. */
export const awakeBecause = (seen: SleepSeen): string | null =>
  seen.spec.scaleToZero?.enabled === true ? (reasons.find(({ when }) => when(seen))?.says ?? null) : null;

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

/** Why a service cannot sleep, in the order checked (002 scale). */
const reasons: readonly { readonly when: (seen: SleepSeen) => boolean; readonly says: string }[] = [
  {
    when: ({ cluster }) => cluster?.spec.addons?.serverless !== true,
    says: 'the serverless add-on is off in the cluster settings',
  },
  { when: ({ isServed }) => !isServed, says: 'the serverless add-on is switched on, not there yet' },
  { when: ({ host }) => host === '', says: 'the service has no public host' },
  { when: ({ spec }) => isAutoscaled(spec), says: 'CPU autoscaling is on' },
];

/** The add-on was asked, and refused. */
export const sleepRefused = 'the serverless add-on cannot count its requests';

/** Why a service that is to sleep stays awake; null where nothing keeps it from sleeping, or nobody asked for it. */
export const awakeBecause = (seen: SleepSeen): string | null =>
  seen.spec.scaleToZero?.enabled === true ? (reasons.find(({ when }) => when(seen))?.says ?? null) : null;

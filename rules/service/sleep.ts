import type { AppSpec } from '../../crds/coreApp.ts';
import type { CoreCluster } from '../../crds/coreCluster.ts';
import type { FoundCause, ObjectRef } from '../cause/cause.ts';
import { sentence, toViewers } from '../words.ts';
import { isAutoscaled } from './effective.ts';

/** The conditions for sleeping. */
export interface SleepSeen {
  readonly spec: AppSpec;
  readonly cluster: CoreCluster | undefined;
  /** Whether the kinds of the add-on are served. */
  readonly isServed: boolean;
  /** The host that leads to the service; empty for none. */
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

/** The message when the add-on refused the scaler. */
export const sleepRefused = 'the serverless add-on cannot count its requests';

/** What keeps a service awake, by the message of its status, which these rules write; null for any other text. */
export const sleepBlockerOf = (message: string): SleepBlocker | null =>
  message === sleepRefused ? 'addOnRefused' : (reasons.find(({ says }) => says === message)?.blocker ?? null);

/** Why a service stays awake although sleep is requested; null when it can sleep, or sleep is not requested. */
export const awakeBecause = (seen: SleepSeen): string | null =>
  seen.spec.scaleToZero?.enabled === true ? (reasons.find(({ when }) => when(seen))?.says ?? null) : null;

/** The cause of a service that stays awake although sleep is requested. */
export const causeOfWakefulness = (why: string, on: ObjectRef): FoundCause => ({
  reason: 'SettingRefused',
  severity: 'note',
  message: sentence('the service stays awake: {why}', { why: toViewers(why) }),
  on,
});

import { type SleepLimits, sleepLimits, type SleepSettingFacts } from './facts.ts';

/** Whether `--sleep-after` is a duration that no service sleeps after. */
export const isOutOfRange = ({ wanted }: SleepSettingFacts, limits: SleepLimits = sleepLimits): boolean =>
  wanted.is === 'sleepAfter' && !(wanted.ms >= limits.leastMs && wanted.ms <= limits.mostMs);

/** What the cluster said: whether the service can sleep, or null while it has not. */
export const canSleep = ({ answer }: SleepSettingFacts): boolean | null =>
  answer.is === 'found' ? answer.active : null;

/** Whether the API refuses the status for good; a refusal that may pass by itself is none. */
export const isRefused = ({ answer }: SleepSettingFacts): boolean =>
  answer.is === 'refused' && answer.code < 500 && answer.code !== 408 && answer.code !== 429;

/** The moment the wait for the cluster ends at the latest. */
export const deadlineOf = ({ savedAt, now }: SleepSettingFacts, limits: SleepLimits = sleepLimits) =>
  (savedAt ?? now) + limits.answerMs;

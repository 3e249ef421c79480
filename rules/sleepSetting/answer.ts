import { type SleepLimits, sleepLimits, type SleepSettingFacts } from './facts.ts';

/** Whether `--sleep-after` is outside the range of allowed durations. */
export const isOutOfRange = ({ wanted }: SleepSettingFacts, limits: SleepLimits = sleepLimits): boolean =>
  wanted.is === 'sleepAfter' && !(wanted.ms >= limits.leastMs && wanted.ms <= limits.mostMs);

/** The cluster's answer: whether the service can sleep, or null before there is one. */
export const canSleep = ({ answer }: SleepSettingFacts): boolean | null =>
  answer.is === 'found' ? answer.active : null;

/** Whether the API refuses the status permanently; a transient refusal does not count. */
export const isRefused = ({ answer }: SleepSettingFacts): boolean =>
  answer.is === 'refused' && answer.code < 500 && answer.code !== 408 && answer.code !== 429;

/** The latest end of the wait for the cluster. */
export const deadlineOf = ({ savedAt, now }: SleepSettingFacts, limits: SleepLimits = sleepLimits) =>
  (savedAt ?? now) + limits.answerMs;

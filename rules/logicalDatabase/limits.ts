import type { LogicalDatabaseFacts } from './facts.ts';

/**
 * The limits after which a logical database gives up, and after which its deletion stops waiting for the drop (001
 * Limits).
 */
export const logicalDatabaseLimits = { failedPasses: 5, failingMs: 180_000, dropMs: 180_000 } as const;
export type LogicalDatabaseLimits = Readonly<Record<keyof typeof logicalDatabaseLimits, number>>;

/** Whether one more failure is the last one; counters of an older generation do not count (decisions 61 to 63). */
export const isLastFailure = (
  { now, generation, retry }: Pick<LogicalDatabaseFacts, 'now' | 'generation' | 'retry'>,
  { failedPasses, failingMs }: LogicalDatabaseLimits,
): boolean => {
  const counts = retry.generation === generation;
  const failures = counts ? retry.failures : 0;
  const failingFor = counts && retry.startedAt !== null ? now - retry.startedAt : 0;
  return failures + 1 >= failedPasses || failingFor >= failingMs;
};

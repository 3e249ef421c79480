import type { Verdict } from './condition.ts';

/** What a message does to a row of failures: it is waited for, it counts, or no further try would mend it. */
export type Counts = 'waiting' | 'counted' | 'permanent';

/** A row of a verdict table: when this holds, that is the reason and the message of a condition. */
export interface VerdictRule<Facts> {
  readonly reason: string;
  readonly status: Verdict['status'];
  readonly when: (facts: Facts) => boolean;
  readonly message: (facts: Facts) => string;
  /** Left out where nothing was tried, or everything is in place. */
  readonly counts?: Counts;
  /** The class of message, where the reason does not tell it from others. */
  readonly kind?: string;
}

/** The first row that holds; the last row of a table always does. */
export function firstHeld<Facts>(type: string, table: readonly VerdictRule<Facts>[], facts: Facts): VerdictRule<Facts> {
  const row = table.find(({ when }) => when(facts));
  if (!row) throw new Error(`no row of the verdict table of ${type} holds`);
  return row;
}

/** The first row that holds, read out. */
export function readOut<Facts>(type: string, table: readonly VerdictRule<Facts>[], facts: Facts): Verdict {
  const row = firstHeld(type, table, facts);
  return { type, status: row.status, reason: row.reason, message: row.message(facts) };
}

import type { Verdict } from './condition.ts';

/** A row of a verdict table: when this holds, that is the reason and the message of a condition. */
export interface VerdictRule<Facts> {
  readonly reason: string;
  readonly status: Verdict['status'];
  readonly when: (facts: Facts) => boolean;
  readonly message: (facts: Facts) => string;
}

/** The first row that holds, read out; the last row of a table always holds. */
export function readOut<Facts>(type: string, table: readonly VerdictRule<Facts>[], facts: Facts): Verdict {
  const row = table.find(({ when }) => when(facts));
  if (!row) throw new Error(`no row of the verdict table of ${type} holds`);
  return { type, status: row.status, reason: row.reason, message: row.message(facts) };
}

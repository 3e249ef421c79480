import { firstHeld, type VerdictRule } from '../verdict.ts';
import type { PassOutcome } from './facts.ts';

/** How a pass ends by the Ready table of its kind: what counts has failed, and what does not is in place. */
export function outcomeBy<Facts>(table: readonly VerdictRule<Facts>[], facts: Facts): PassOutcome {
  const row = firstHeld('Ready', table, facts);
  const { counts, kind = row.reason } = row;
  return counts === undefined ? { is: 'succeeded' } : { is: 'failed', counts, kind, says: row.message(facts) };
}

import { firstHeld, type VerdictRule } from '../verdict.ts';
import type { PassOutcome } from './facts.ts';

/**
 * The outcome of a pass by the Ready table of its kind: rows with `counts` are failures or waits, all others mean that
 * the resource is in place.
 */
export function outcomeBy<Facts>(table: readonly VerdictRule<Facts>[], facts: Facts): PassOutcome {
  const row = firstHeld('Ready', table, facts);
  const { counts, kind = row.reason } = row;
  return counts === undefined ? { is: 'succeeded' } : { is: 'failed', counts, kind, says: row.message(facts) };
}

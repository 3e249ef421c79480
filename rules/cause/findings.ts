import { firstHeld, type VerdictRule } from '../verdict.ts';
import type { FoundCause } from './cause.ts';
import { type CauseInput, kept } from './rule.ts';

/**
 * The causes of the first row that holds. A row that only says that nothing is tried leaves it to the row that would
 * hold otherwise.
 */
export function findings<Facts>(
  table: readonly VerdictRule<Facts>[],
  facts: Facts,
  input: Omit<CauseInput, 'message'>,
): readonly FoundCause[] {
  const row = firstHeld('Ready', table, facts);
  const telling =
    row.cause === kept
      ? firstHeld(
          'Ready',
          table.filter(({ cause }) => cause !== kept),
          facts,
        )
      : row;
  return telling.cause?.find(facts, { ...input, message: telling.message(facts) }) ?? [];
}

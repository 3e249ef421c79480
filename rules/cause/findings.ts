import { firstHeld, type VerdictRule } from '../verdict.ts';
import type { FoundCause } from './cause.ts';
import { type CauseInput, kept } from './rule.ts';

/**
 * The causes of the first row that holds, which is `row` where it is known already. A row that only says that nothing
 * is tried leaves it to the row that would hold otherwise.
 */
export function findings<Facts>(
  table: readonly VerdictRule<Facts>[],
  facts: Facts,
  input: Omit<CauseInput, 'message'>,
  row: VerdictRule<Facts> = firstHeld('Ready', table, facts),
): readonly FoundCause[] {
  const isOther = ({ cause }: VerdictRule<Facts>) => cause !== kept;
  const reporting = isOther(row) ? row : firstHeld('Ready', table.filter(isOther), facts);
  return reporting.cause?.find(facts, { ...input, message: reporting.message(facts) }) ?? [];
}

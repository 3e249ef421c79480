import type { CauseRule } from './cause/rule.ts';
import type { Verdict } from './condition.ts';
import type { Message } from './words.ts';

/** How a message affects the count of failures: it is a wait, it counts, or no retry would help. */
export type Counts = 'waiting' | 'counted' | 'permanent';

/**
 * A row of a verdict table: when the condition holds, this is the reason and the message, or the value that the row
 * names.
 */
export interface VerdictRule<Facts, Text = Message> {
  readonly reason: string;
  readonly status: Verdict['status'];
  readonly when: (facts: Facts) => boolean;
  readonly message: (facts: Facts) => Text;
  /** Omitted when nothing was tried or everything is in place. */
  readonly counts?: Counts;
  /** The class of message, when the reason does not distinguish it from others. */
  readonly kind?: string;
  /** Why it holds; omitted for verdicts that are no reason to look further. */
  readonly cause?: CauseRule<Facts>;
}

/** The first row that holds; the last row of a table always does. */
export function firstHeld<Facts, Text, Row extends VerdictRule<Facts, Text>>(
  type: string,
  table: readonly (Row & VerdictRule<Facts, Text>)[],
  facts: Facts,
): Row {
  const row = table.find(({ when }) => when(facts));
  if (!row) throw new Error(`no row of the verdict table of ${type} holds`);
  return row;
}

/** The message of the first row that holds. */
export const messageOf = <Facts, Message>(
  type: string,
  table: readonly VerdictRule<Facts, Message>[],
  facts: Facts,
): Message => firstHeld(type, table, facts).message(facts);

/** The first row that holds, as a condition. */
export const readOut = <Facts>(type: string, table: readonly VerdictRule<Facts>[], facts: Facts): Verdict =>
  verdictOf(type, firstHeld(type, table, facts), facts);

/** A row that holds, as a condition. */
export function verdictOf<Facts>(type: string, row: VerdictRule<Facts>, facts: Facts): Verdict {
  const { text: message, params } = row.message(facts);
  return { type, status: row.status, reason: row.reason, message, ...(params === undefined ? {} : { params }) };
}

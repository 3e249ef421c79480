import type { Row } from '../../machines/table.ts';
import { tables } from '../../machines/tables.ts';
import type { View } from '../access/needs.ts';
import type { Condition } from '../condition.ts';
import { type Message, textFor } from '../words.ts';

/** A transition or a decision, with the fields that identify its arrow. */
export interface Happened extends Message {
  readonly machine: string;
  readonly from: string;
  readonly event: string;
  readonly to?: string;
}

const arrow = (machine: string, from: string, event: string): string => `${machine} ${from} ${event}`;

/** The rows of every table by state and event. */
const rows = new Map<string, readonly Row[]>();
for (const [machine, table] of Object.entries(tables))
  for (const row of [...table.rows, ...table.absence])
    for (const from of row.from) {
      const at = arrow(machine, from, row.event);
      rows.set(at, [...(rows.get(at) ?? []), row]);
    }

/** A camel-case name as separate words. */
const spaced = (name: string): string => name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase();

/** The recorded text of a transition if the view may read it, otherwise that of the machine's table. */
export function moveInWords({ machine, from, event, to, ...said }: Happened, view: View): string {
  const words = textFor(said, view);
  if (words !== null) return words;
  const leading = [arrow(machine, from, event), arrow(machine, 'any', event)].flatMap((at) => rows.get(at) ?? []);
  const row = leading.find((one) => to === undefined || (one.to === 'same' ? from : one.to) === to);
  return row?.when ?? spaced(event);
}

/** The fields of a condition for its sentence. */
interface Judged extends Pick<Condition, 'reason' | 'message'> {
  readonly params?: Message['params'];
}

/** The sentence of a condition as far as a view may read it, otherwise its reason. */
export const messageInWords = ({ reason, message, params }: Judged, view: View): string =>
  textFor({ text: message, params }, view) ?? spaced(reason);

/** Why something failed, as the transition recorded it. */
export function failureInWords(reason: string, moves: readonly Happened[], view: View): string {
  const failing = moves.findLast(({ text }) => text === reason);
  return failing ? moveInWords(failing, view) : (textFor({ text: reason }, view) ?? 'failed');
}

import type { Row } from '../../machines/table.ts';
import { tables } from '../../machines/tables.ts';
import type { View } from '../access/needs.ts';
import type { Condition } from '../condition.ts';
import { type Said, told } from '../words.ts';

/** A move or a decision as far as its arrow can be found by it. */
export interface Happened extends Said {
  readonly machine: string;
  readonly from: string;
  readonly event: string;
  readonly to?: string;
}

const arrow = (machine: string, from: string, event: string): string => `${machine} ${from} ${event}`;

/** The rows of every table by where they lead from and by what. */
const rows = new Map<string, readonly Row[]>();
for (const [machine, table] of Object.entries(tables))
  for (const row of [...table.rows, ...table.absence])
    for (const from of row.from) {
      const at = arrow(machine, from, row.event);
      rows.set(at, [...(rows.get(at) ?? []), row]);
    }

/** A name in camel case as words. */
const spaced = (name: string): string => name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase();

/** What happened, as it was said as far as a view is told that, else as the machine's table says it. */
export function moveInWords({ machine, from, event, to, ...said }: Happened, view: View): string {
  const words = told(said, view);
  if (words !== null) return words;
  const leading = [arrow(machine, from, event), arrow(machine, 'any', event)].flatMap((at) => rows.get(at) ?? []);
  const row = leading.find((one) => to === undefined || (one.to === 'same' ? from : one.to) === to);
  return row?.when ?? spaced(event);
}

/** What of a condition its sentence is told by. */
interface Judged extends Pick<Condition, 'reason' | 'message'> {
  readonly params?: Said['params'];
}

/** The sentence of a condition as far as a view is told it, or its reason. */
export const messageInWords = ({ reason, message, params }: Judged, view: View): string =>
  told({ text: message, params }, view) ?? spaced(reason);

/** Why something failed: as the move is told that said so. */
export function failureInWords(reason: string, moves: readonly Happened[], view: View): string {
  const failing = moves.findLast(({ text }) => text === reason);
  return failing ? moveInWords(failing, view) : (told({ text: reason }, view) ?? 'failed');
}

import type { Row } from '../../machines/table.ts';
import { tables } from '../../machines/tables.ts';
import { appReady, type AppSeen } from '../app/ready.ts';
import { buildEvents } from '../build/events.ts';
import type { BuildFacts } from '../build/facts.ts';
import { projectReadyVerdicts, type ProjectVerdictFacts } from '../projectReady/ready.ts';

/** A move or a decision as far as its arrow can be found by it. */
export interface Happened {
  readonly machine: string;
  readonly from: string;
  readonly event: string;
  readonly to?: string;
  readonly text: string;
}

/** What is said without a fact has none to give away. */
const constants: ReadonlySet<string> = new Set([
  ...buildEvents.flatMap((rule) => (rule.says.length === 0 ? [rule.says({} as BuildFacts)] : [])),
  ...appReady.flatMap(({ message }) => (message.length === 0 ? [message({} as AppSeen)] : [])),
  ...projectReadyVerdicts.flatMap(({ message }) => (message.length === 0 ? [message({} as ProjectVerdictFacts)] : [])),
  'Git host does not answer',
  'the builder Job runs',
  'waiting for checks: the commit has no check run yet',
]);

/** Sentences of which every changing part is open, or too plain to be a name. */
const openSentences: readonly RegExp[] = [
  /^commit [0-9a-f]{1,12} is to be built$/,
  /^waits for the checks of commit [0-9a-f]{0,12}$/,
  /^the builder Job of commit [0-9a-f]{0,12} was created$/,
  /^every check of commit [0-9a-f]{0,12} succeeded; the builder Job was created$/,
  /^waiting for checks: \d{1,5} of \d{1,5} completed$/,
  /^Git host API returned \d{3}( (Unauthorized|Forbidden|Not Found|Unprocessable Entity))?$/,
  /^Git host limits the rate until [0-9T:.Z-]{10,30}$/,
  /^the builder Job runs; \d{1,5} of its pods failed$/,
  /^pushed sha256:[0-9a-f]{64}$/,
  /^project "[a-z0-9-]{1,63}" (does not exist|has no [a-z0-9-]{1,63} environment)$/,
];

/** Whether nothing that is hidden can be in a sentence. */
export const isOpen = (text: string): boolean =>
  text === '' || constants.has(text) || openSentences.some((sentence) => sentence.test(text));

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

/** What happened, as it was said where that is open, else as the machine's table says it. */
export function moveInWords({ machine, from, event, to, text }: Happened): string {
  if (isOpen(text)) return text;
  const leading = [arrow(machine, from, event), arrow(machine, 'any', event)].flatMap((at) => rows.get(at) ?? []);
  const row = leading.find((one) => to === undefined || (one.to === 'same' ? from : one.to) === to);
  return row?.when ?? spaced(event);
}

/** The sentence of a condition, or its reason. */
export const messageInWords = (reason: string, message: string): string => (isOpen(message) ? message : spaced(reason));

/** Why something failed: as the move is told that said so. */
export function failureInWords(reason: string, moves: readonly Happened[]): string {
  if (isOpen(reason)) return reason;
  const failing = moves.findLast(({ text }) => text === reason);
  return failing ? moveInWords(failing) : 'failed';
}

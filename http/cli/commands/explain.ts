import { isObject } from '../../../rules/json.ts';
import { nextCheckMs } from '../../../rules/nextCheck.ts';
import { pathOf } from '../../apiClient/client.ts';
import { explainedKinds } from '../../apiClient/requests/explainedKinds.ts';
import { items, read } from '../../apiClient/shape.ts';
import { command, type Leaf, type Run } from '../command.ts';
import { CommandFailure, exits } from '../exits.ts';
import {
  type Causes,
  causesShape,
  explanationShape,
  machineShape,
  machinesShape,
  transitionsShape,
} from '../shapes.ts';
import { ageSince, ageText } from '../text/age.ts';
import { plain } from '../text/plain.ts';

const refusals: Leaf['exits'] = [exits.notFound, exits.notAllowed];
const kindOrApp = { name: 'KIND|APP', about: 'a service, or a kind such as databases', completes: 'apps' } as const;
const nameOfKind = { name: '[NAME]', about: 'the name, behind a kind' };

const kinds: Readonly<Record<string, readonly string[]>> = explainedKinds;

/** The path of a service, or of an object of a kind. */
function pathFor({ args: [first = '', second] }: Run): string {
  if (second === undefined) return pathOf('apps', first);
  const [kind] = Object.entries(kinds).find(([path, words]) => path === first || words.includes(first)) ?? [];
  if (kind !== undefined) return pathOf(kind, second);
  throw new CommandFailure(exits.usage, `there is no kind "${first}": there are ${Object.keys(kinds).join(', ')}`);
}

type Explanation = ReturnType<typeof explanationShape>;

const failureText = ({ text, count }: NonNullable<Explanation['failure']>): string =>
  `failed${count === undefined ? '' : ` ${count} times`}${text === undefined ? '' : `: ${text}`}`;

/** A server of an earlier version sends only the earlier name. */
function nextText({ nextLook, nextCheckAt: at = nextLook, checkEveryMs }: Explanation, now: number): string {
  if (!at) return '';
  const next = ageText(nextCheckMs({ at, everyMs: checkEveryMs }, now) - now);
  return `next look in ${next}${checkEveryMs === undefined ? '' : `, every ${ageText(checkEveryMs)}`}`;
}

function paragraph(explanation: Explanation, now: number): string {
  const { machine = '-', shown = '-', since, text, restsUntil, failure } = explanation;
  const age = ageSince(since, now);
  const next = nextText(explanation, now);
  const lines = [
    `${plain(machine)}: ${plain(shown)}${age === '' ? '' : ` for ${age}`}`,
    `  ${plain(text)}`,
    ...(restsUntil ? [`  rests until ${plain(restsUntil)}`] : []),
    ...(next === '' ? [] : [`  ${next}`]),
    ...(failure ? [`  ${plain(failureText(failure))}`] : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

const labelled = (label: string, value: string): string => (value === '' ? '' : `${label.padEnd(9)}${plain(value)}\n`);

/** The worst cause, its line of the log, where it comes from, and what to do. */
function causeParagraph(causes: Causes['causes']): string {
  const [worst] = causes ?? [];
  if (worst === undefined) return '';
  const { message, logLine = '', root, hint = '' } = worst;
  return [
    labelled('cause', message),
    labelled('', logLine),
    labelled('root', root ? `${root.kind ?? ''} ${root.name ?? ''}`.trim() : ''),
    labelled('fix', hint),
  ].join('');
}

async function explainObject(run: Run): Promise<void> {
  const answer = await run.client().ask('GET', `${pathFor(run)}/explain`);
  if (run.globals.json) return run.json(answer);
  const isList = isObject(answer) && 'items' in answer;
  const explanations = isList ? read(items(explanationShape), answer).items : [read(explanationShape, answer)];
  const now = run.io.clock.now();
  const { causes } = read(causesShape, answer);
  return run.print(causeParagraph(causes) + explanations.map((one) => paragraph(one, now)).join(''));
}

export const explain = command({
  name: 'explain',
  about: 'Explain why something is in its state, what caused it, and what happens next.',
  args: [kindOrApp, nameOfKind],
  examples: ['core explain web', 'core explain databases orders'],
  exits: refusals,
  run: explainObject,
});

async function showHistory(run: Run): Promise<void> {
  const path = `${pathFor(run)}/transitions`;
  if (run.globals.json) return run.json(await run.client().ask('GET', path));
  const { items: moves, note } = read(transitionsShape, await run.client().ask('GET', `${path}?fold=true`));
  if (note !== undefined) await run.note(`${plain(note)}\n`);
  return run.table(
    ['AT', 'MACHINE', 'FROM', 'EVENT', 'TO', 'BY', 'WHY'],
    moves.map(({ at, last, machine, from, event, to, by, text }) => [at ?? last, machine, from, event, to, by, text]),
  );
}

export const history = command({
  name: 'history',
  about: 'List the moves of something that are kept, the oldest first; four or more to and fro are one row.',
  args: [kindOrApp, nameOfKind],
  examples: ['core history web', 'core history builds web-build-3'],
  exits: refusals,
  run: showHistory,
});

const countsText = (counts: Readonly<Record<string, number>> | null | undefined): string =>
  !counts
    ? ''
    : Object.entries(counts)
        .filter(([, count]) => count > 0)
        .map(([state, count]) => `${state} ${count}`)
        .join(', ');

async function listMachines(run: Run): Promise<void> {
  const [name] = run.args;
  if (name !== undefined) {
    const answer = await run.client().ask('GET', pathOf('machines', name));
    if (run.globals.json) return run.json(answer);
    const { counts } = read(machineShape, answer);
    return run.table(
      ['STATE', 'COUNT'],
      Object.entries(counts ?? {}).map(([state, count]) => [state, String(count)]),
    );
  }
  const answer = await run.client().ask('GET', '/machines');
  const { items: machines } = read(machinesShape, answer);
  if (run.globals.json) return run.json(answer);
  return run.table(
    ['MACHINE', 'STATES', 'RETRYING'],
    machines.map(({ name: machine, counts, retrying }) => [
      machine,
      countsText(counts),
      retrying === undefined ? '' : String(retrying),
    ]),
  );
}

export const machines = command({
  name: 'machines',
  about: 'Count how many instances of each lifecycle are in which state.',
  args: [{ name: '[MACHINE]', about: 'the name of one lifecycle' }],
  examples: ['core machines', 'core machines build'],
  exits: refusals,
  run: listMachines,
});

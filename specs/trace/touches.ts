import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Cells, listedIn } from './cells.ts';
import type { Change } from './changes.ts';
import { here, type Lifecycle } from './project.ts';
import { arrowTexts, ruleTexts, type Way } from './touched.ts';

type Touching = (change: Change, lifecycle: Lifecycle) => readonly string[];

const stateOf: Touching = ({ row: { cells, key } }, { subject, places }) => {
  const state = cells['read as'] ?? key;
  return [`state  ${places.arrows[state] ?? `${subject.files.machine} HAS NO STATE`} ${state}`];
};

const ruleText = (id: string, { subject, places }: Pick<Lifecycle, 'subject' | 'places'>) =>
  `rule   ${places.rules[id] ?? `${subject.files.rules} HAS NO RULE`} ${id}`;

/** By what kind of row changed. */
const touching: Readonly<Record<Cells['sort']['is'], Touching>> = {
  arrow: ({ row, was }, lifecycle) =>
    [row, ...(was ? [was] : [])].flatMap((each) => wayTexts(wayOf(each, lifecycle), lifecycle)),
  asked: ({ row: { key } }, lifecycle) =>
    lifecycle.subject.rules
      .filter(({ answers }) => answers?.some((command) => command === key))
      .map(({ id }) => ruleText(id, lifecycle)),
  elsewhere: ({ row: { key } }, lifecycle) => wayTexts(wherever(key, lifecycle), lifecycle),
  rest: stateOf,
  // Reasons, which nothing repeats.
  look: () => [],
  woken: () => [],
  trouble: stateOf,
  deadline: stateOf,
  lens: stateOf,
  order: ({ row, was }, { subject, places }) => {
    const rulesIn = (each: Cells | null) => listedIn(each?.cells['rules in order'] ?? '');
    const [before, after] = [rulesIn(was), rulesIn(row)];
    return [...before, ...after]
      .filter((id) => before.indexOf(id) !== after.indexOf(id))
      .map((id) => ruleText(id, { subject, places }));
  },
  words: ({ row: { key } }, lifecycle) => [ruleText(key, lifecycle)],
  limit: ({ row: { key } }, { subject: { files, name } }) =>
    named('rule', key, [files.rules, `rules/${name}.ts`, `rules/${name}`]),
  invariant: ({ row: { key } }, { subject: { name } }) =>
    named('model', key, [`specs/lifecycles/${name}`, `specs/lifecycles/${name}.ts`]),
  verdict: ({ row }, { subject, verdicts }) =>
    verdictTexts(row, subject.verdicts?.[row.heading]?.file, verdicts[row.heading] ?? []),
};

/** Which arrows, rules and other places of the sources a change of a table touches, each once. */
export const touchedBy = (change: Change, lifecycle: Lifecycle): readonly string[] => [
  ...new Set(touching[change.row.sort.is](change, lifecycle)),
];

/** An event in every state that has it. */
const wherever = (event: string, lifecycle: Lifecycle): Way => ({
  from: statesOf(lifecycle).filter((state) => `${state} ${event}` in lifecycle.places.arrows),
  event,
});

const statesOf = ({ subject }: Lifecycle) => Object.keys(subject.machine.states);

function wayOf({ cells }: Cells, lifecycle: Lifecycle): Way {
  const from = listedIn(cells['from'] ?? '');
  return { from: from[0] === 'any' ? statesOf(lifecycle) : from, event: cells['event'] ?? '' };
}

/** The arrows and rules of a way; absence has no arrows. */
function wayTexts({ from, event }: Way, lifecycle: Lifecycle): readonly string[] {
  const states = from.filter((state) => !state.startsWith('('));
  const arrows = states.length === 0 ? [] : arrowTexts({ from: states, event }, lifecycle);
  return [
    ...arrows.map((text) => `arrow  ${text}`),
    ...ruleTexts({ from, event }, lifecycle).map((text) => `rule   ${text}`),
  ];
}

const verdictTexts = (row: Cells, file: string | undefined, at: readonly string[]): readonly string[] =>
  file === undefined ? [] : [`rule   ${at[row.index] ?? file} row ${row.index + 1} of "${row.heading}"`];

/** The first line of each file that names something, among files and those of folders. */
function named(label: string, name: string, paths: readonly string[]): readonly string[] {
  const files = paths.flatMap((path) => {
    const stat = statSync(join(here, path), { throwIfNoEntry: false });
    if (!stat?.isDirectory()) return stat ? [path] : [];
    return readdirSync(join(here, path)).map((file) => `${path}/${file}`);
  });
  return [...new Set(files)].flatMap((file) => {
    const lines = readFileSync(join(here, file), 'utf8').split('\n');
    const at = lines.findIndex((line) => new RegExp(`\\b${name}\\b`).test(line));
    return at === -1 ? [] : [`${label.padEnd(6)} ${file}:${at + 1} ${name}`];
  });
}

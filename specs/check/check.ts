import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Parsed, parseTable } from '../tables/parse.ts';
import { conformance } from './conformance.ts';
import { brokenText, explore, type Broken } from './explore.ts';
import { hostileFaults, rulesOverFacts } from './facts.ts';
import { mutate } from './mutate.ts';
import type { Fault, Outcome } from './outcome.ts';
import { placesOf } from './places.ts';
import { runOf, type Run } from './run.ts';
import { stateFaults } from './states.ts';
import type { AnySubject } from './subject.ts';
import { limitFaults, orderFaults, wordsFaults } from './transcribed.ts';
import { verdicts } from './verdicts.ts';
import { walk } from './walks.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Asked {
  readonly seed: number;
  readonly mutation: boolean;
}

/** What one run found, and the lives that show what is broken. */
export interface Checked {
  readonly outcome: Outcome;
  readonly broken: readonly Broken[];
}

/** The table of a lifecycle, as it stands in its file now. */
export function tableOf(name: string): Parsed {
  const file = `specs/tables/${name}.md`;
  return parseTable(readFileSync(`${root}${file}`, 'utf8'), file);
}

/** Holds one lifecycle to its table: everything that is wrong, and how much was looked at. */
export function check(subject: AnySubject, { seed, mutation }: Asked): Checked {
  const startedAt = performance.now();
  const table = tableOf(subject.name);
  const run = runOf({ subject, table, places: placesOf(subject.files), seed });
  const { initial } = run.machine.config;
  const rules = rulesOverFacts(run);
  const said = verdicts(run);
  const explored = explore(run);
  const walked = walk(run);
  const walkedRows = added(explored.rows, walked.rows);
  const broken = [...explored.broken, ...(explored.broken.length === 0 ? walked.broken : [])];
  const faults = [
    ...conformance(run),
    ...stateFaults(run),
    ...orderFaults(run),
    ...wordsFaults(run),
    ...limitFaults(run, subject.limits?.values ?? {}),
    ...rules.faults,
    ...hostileFaults(run),
    ...said.faults,
    ...statedInvariants(run),
    ...broken.map((each) => brokenText(run, each)),
  ];
  const all = [...faults, ...(faults.length === 0 ? neverWalked(run, walkedRows) : [])];
  return {
    broken,
    outcome: {
      name: subject.name,
      provisional: subject.provisional,
      table,
      places: run.places,
      initial: typeof initial === 'string' ? initial : '',
      faults: all,
      coverage: { rows: walkedRows, rules: rules.held, verdicts: said.held },
      searched: explored.searched,
      seed,
      mutants: mutation && all.length === 0 ? mutate(run) : null,
      ms: performance.now() - startedAt,
    },
  };
}

const added = (a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    [...new Set([...Object.keys(a), ...Object.keys(b)])].map((id) => [id, (a[id] ?? 0) + (b[id] ?? 0)]),
  );

/** Every invariant that is written down is one of the model, of the same kind, and the other way round. */
function statedInvariants({ table, subject }: Run): readonly Fault[] {
  const { invariants } = subject.model;
  const model = `specs/lifecycles/${subject.name}.ts`;
  const fault = (text: string, ...at: readonly string[]): Fault => ({ check: 'invariants', at, text });
  return [
    ...table.invariants.flatMap(({ name, kind, line }) => {
      const at = `${table.file}:${line}`;
      const invariant = invariants[name];
      if (!invariant) return [fault(`the model knows no invariant ${name}`, at, model)];
      const is = Object.keys(invariant)[0] ?? '';
      return is.startsWith(kind) ? [] : [fault(`${name} is written down as ${kind}, the model says ${is}`, at, model)];
    }),
    ...Object.keys(invariants)
      .filter((name) => !table.invariants.some((row) => row.name === name))
      .map((name) => fault(`the model's invariant ${name} is not written down`, model, table.file)),
  ];
}

/** Rows that no life came by: the model does not reach them, or nothing ever can. */
const neverWalked = ({ table }: Run, rows: Readonly<Record<string, number>>): readonly Fault[] =>
  [...table.rows, ...table.absence]
    .filter(({ id }) => !rows[id])
    .map(({ id, from, event, to, line }) => ({
      check: 'walks',
      at: [`${table.file}:${line}`],
      text: `${id} ${from.join(', ')} ${event} → ${to} was never walked`,
    }));

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Parsed, parseTable, sectionAt } from '../tables/parse.ts';
import { conformance } from './conformance.ts';
import { brokenText, explore } from './explore.ts';
import { invalidFaults, rulesOverFacts } from './facts.ts';
import { modelPlace } from './modelPlace.ts';
import { mutate } from './mutate.ts';
import type { CheckName, Fault, Outcome } from './outcome.ts';
import { placesOf } from './places.ts';
import { unproven } from './proven.ts';
import { runOf, type Run } from './run.ts';
import type { Broken, Explored } from './search.ts';
import { stateFaults } from './states.ts';
import type { AnySubject } from './subject.ts';
import { limitFaults, orderFaults, wordsFaults } from './transcribed.ts';
import { Unreadable } from './unreadable.ts';
import { verdicts } from './verdicts.ts';
import { walk } from './walks.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface CheckOptions {
  readonly seed: number;
  readonly mutation: boolean;
  /** One in this many mutants of the machine, its rules and limits is tried; all where it is left out. */
  readonly oneOf?: number;
  /** Whether to look for an unwanted specification that violates each invariant. */
  readonly proof: boolean;
}

/** The result of one run, with the lives that show each violation. */
export interface Checked {
  readonly outcome: Outcome;
  readonly broken: readonly Broken[];
}

/** The table of a lifecycle, read from its file now. */
export function tableOf(name: string): Parsed {
  const file = `specs/tables/${name}.md`;
  if (!existsSync(`${root}${file}`)) throw new Unreadable([`${file} is not there`]);
  return parseTable(readFileSync(`${root}${file}`, 'utf8'), file);
}

/** Checks one lifecycle against its table: everything that is wrong, and how much was covered. */
export function check(subject: AnySubject, { seed, mutation, oneOf = 1, proof }: CheckOptions): Checked {
  const startedAt = performance.now();
  const table = tableOf(subject.name);
  const run = runOf({ subject, table, places: placesOf(subject.files), seed });
  const { initial } = run.machine.config;
  const thrown: Fault[] = [];
  const safely = <T>(name: CheckName, look: () => T, otherwise: T): T => {
    try {
      return look();
    } catch (error) {
      thrown.push(thrownFault(run, name, error));
      return otherwise;
    }
  };
  const rules = safely('rules', () => rulesOverFacts(run), { held: {}, faults: [] });
  const said = safely('verdicts', () => verdicts(run), { held: {}, faults: [] });
  const explored = safely('invariants', () => explore(run), nothingExplored);
  const walked = safely('walks', () => walk(run), { rows: {}, broken: [] });
  const walkedRows = added(explored.rows, walked.rows);
  const conformed = conformance(run);
  // Where the machine differs from the table, every life that comes by would report it again.
  const broken = [...explored.broken, ...(explored.broken.length === 0 ? walked.broken : [])].filter(
    ({ fault }) => fault.check !== 'walks' || conformed.length === 0,
  );
  const faults = [
    ...conformed,
    ...stateFaults(run),
    ...orderFaults(run),
    ...wordsFaults(run),
    ...limitFaults(run, subject.limits?.values ?? {}),
    ...rules.faults,
    ...safely('rules', () => invalidFaults(run), []),
    ...said.faults,
    ...statedInvariants(run),
    ...broken.map((each) => brokenText(run, each)),
    ...thrown,
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
      mutants: mutation && all.length === 0 ? mutate(run, oneOf) : null,
      unproven: proof && all.length === 0 ? unproven(run) : null,
      ms: performance.now() - startedAt,
    },
  };
}

const nothingExplored: Explored = {
  searched: { worlds: 0, steps: 0, exhaustive: false, invariants: {} },
  brokenInvariants: new Set(),
  rows: {},
  broken: [],
};

/** What threw during the check, with the place in the sources that threw. */
function thrownFault({ subject }: Run, name: CheckName, error: unknown): Fault {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const [, place] = /((?:rules|machines|specs\/lifecycles)\/[\w/.]+:\d+)/.exec(stack) ?? [];
  const text = error instanceof Error ? error.message : String(error);
  return {
    check: name,
    at: [place ?? subject.files.rules],
    text: `it throws "${text}" over the facts of the model or the generator`,
  };
}

const added = (a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    [...new Set([...Object.keys(a), ...Object.keys(b)])].map((id) => [id, (a[id] ?? 0) + (b[id] ?? 0)]),
  );

/** Every documented invariant must be one of the model, of the same kind, and vice versa. */
function statedInvariants({ table, subject }: Run): readonly Fault[] {
  const { invariants } = subject.model;
  const model = (name: string) => modelPlace(subject.name, 'invariants', name);
  const fault = (text: string, ...at: readonly string[]): Fault => ({ check: 'invariants', at, text });
  return [
    ...table.invariants.flatMap(({ name, kind, line }) => {
      const at = `${table.file}:${line}`;
      const invariant = invariants[name];
      if (!invariant) return [fault(`the model knows no invariant ${name}`, at, model(name))];
      const is = Object.keys(invariant)[0] ?? '';
      return is.startsWith(kind)
        ? []
        : [fault(`${name} is written down as ${kind}, the model says ${is}`, at, model(name))];
    }),
    ...Object.keys(invariants)
      .filter((name) => !table.invariants.some((row) => row.name === name))
      .map((name) =>
        fault(`the model's invariant ${name} is not written down`, model(name), sectionAt(table, 'Invariants')),
      ),
  ];
}

/** Rows that no life took: the model does not reach them, or nothing can. */
const neverWalked = ({ table }: Run, rows: Readonly<Record<string, number>>): readonly Fault[] =>
  [...table.rows, ...table.absence]
    .filter(({ id }) => !rows[id])
    .map(({ id, from, event, to, line }) => ({
      check: 'walks',
      at: [`${table.file}:${line}`],
      text: `${id} ${from.join(', ')} ${event} → ${to} was never taken`,
    }));

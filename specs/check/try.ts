import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { decide } from '../../rules/engine.ts';
import { known, unasked } from '../../rules/fact.ts';
import { lookText } from '../tables/arrows.ts';
import { sectionAt } from '../tables/parse.ts';
import { refused, type Output } from '../trace/output.ts';
import { tableOf } from './check.ts';
import { placesOf } from './places.ts';
import { arrowAt, type AnyRule, ruleAt, runOf, type Run } from './run.ts';
import type { AnySubject } from './subject.ts';

type Facts = Readonly<Record<string, unknown>>;

const fine = (lines: readonly string[]): Output => ({ lines, exit: 0 });

const factNames = ({ rules }: AnySubject): ReadonlySet<string> => new Set(rules.flatMap(({ needs }) => [...needs]));

const isFact = (value: unknown): value is { readonly is: string; readonly value?: unknown } =>
  typeof value === 'object' &&
  value !== null &&
  'is' in value &&
  ['known', 'unknown', 'unasked'].includes(String(value.is));

const sampleOf = ({ facts }: AnySubject): Facts => (fc.sample(facts, { seed: 1, numRuns: 1 })[0] ?? {}) as Facts;

/** Facts that are examined for the types that each may have. */
const typedOver = 500;

const typeOf = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'a list'
      : typeof value === 'object'
        ? 'an object'
        : `a ${typeof value}`;

/** Values of types that the generator of the facts never produces. */
function mistyped({ facts }: AnySubject, written: Facts): readonly string[] {
  const samples = fc.sample(facts, { seed: 1, numRuns: typedOver }) as readonly Facts[];
  return Object.entries(written).flatMap(([name, value]) => {
    const given = samples.map((sample) => sample[name]).map((each) => (isFact(each) ? each.value : each));
    const types = [...new Set(given.filter((each) => each !== undefined).map(typeOf))];
    const asked = isFact(value) && value.is === 'known' ? value.value : value;
    if ((isFact(value) && value.is !== 'known') || types.includes(typeOf(asked))) return [];
    return [`${name} should be ${types.join(' or ')}, it is ${JSON.stringify(asked)}`];
  });
}

/** A template file of facts: known facts are written as their values. */
export function sampleFacts(subject: AnySubject): Output {
  const plain = Object.entries(sampleOf(subject)).map(([name, value]) => [name, isFact(value) ? value.value : value]);
  return fine(JSON.stringify(Object.fromEntries(plain), null, 2).split('\n'));
}

/** Facts as a person writes them: a value is a known fact, a missing name an unasked one. */
function factsFrom(subject: AnySubject, written: Facts): Facts | readonly string[] {
  const wrapped = factNames(subject);
  const names = Object.keys(sampleOf(subject));
  const missing = names.filter((name) => !(name in written) && !wrapped.has(name));
  const unread = Object.keys(written).filter((name) => !names.includes(name));
  if (missing.length > 0 || unread.length > 0)
    return [
      ...(missing.length > 0 ? [`the facts lack ${missing.join(', ')}`] : []),
      ...(unread.length > 0 ? [`nobody reads ${unread.join(', ')}; the facts are ${names.join(', ')}`] : []),
    ];
  const wrong = mistyped(subject, written);
  if (wrong.length > 0) return wrong;
  const read = (name: string) => {
    const value = written[name];
    if (!wrapped.has(name)) return value;
    if (value === undefined) return unasked;
    return isFact(value) ? value : known(value);
  };
  return Object.fromEntries(names.map((name) => [name, read(name)]));
}

function readJson(file: string): Facts | string {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof read === 'object' && read !== null && !Array.isArray(read)
      ? (read as Facts)
      : `${file} holds no object`;
  } catch (error) {
    return `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The decision over the facts of a file, rule by rule, and its consequences. */
export function tryFacts(subject: AnySubject, file: string, asked: string | undefined): Output {
  const written = readJson(file);
  if (typeof written === 'string') return refused(written);
  const facts = factsFrom(subject, written);
  if (Array.isArray(facts)) return refused(...(facts as readonly string[]).map((line) => `${file}: ${line}`));
  const run = runOf({ subject, table: tableOf(subject.name), places: placesOf(subject.files), seed: 0 });
  const { initial } = run.machine.config;
  const state = asked ?? (typeof initial === 'string' ? initial : '');
  const states = [...run.states, '(none)'];
  if (!states.includes(state))
    return refused(`${subject.name} has no state "${state}"; there are ${states.join(', ')}`);
  return fine(decisionLines(run, state, facts as Facts));
}

function decisionLines(run: Run, state: string, facts: Facts): readonly string[] {
  const rules = run.rulesByState.get(state) ?? [];
  const decision = decide(run.rulesByState, state, facts);
  const width = Math.max(...rules.map(({ id }) => id.length), 0);
  const outcomeOf = ({ id }: AnyRule) => {
    if (decision.is === 'event' && decision.rule.id === id) return 'yes';
    return decision.tried.includes(id) ? 'no' : 'not reached';
  };
  return [
    `${run.subject.name} in ${state}`,
    ...rules.map(
      (rule, index) =>
        `  ${String(index + 1).padStart(2)} ${rule.id.padEnd(width)}  ${outcomeOf(rule).padEnd(11)}  ${ruleAt(run, rule.id)}`,
    ),
    ...followLines(run, state, facts),
  ];
}

function followLines(run: Run, state: string, facts: Facts): readonly string[] {
  const decision = decide(run.rulesByState, state, facts);
  switch (decision.is) {
    case 'ask':
      return [`The next rule asks for the fact ${String(decision.fact)}, which the file leaves out.`];
    case 'unknown':
      return [`The fact ${String(decision.fact)} could not be read (${decision.why}): nothing moves.`];
    case 'nothing':
      return ['No rule holds: nothing happened.'];
    case 'event':
      return [`${decision.rule.then}: ${decision.rule.says(facts).text}`, ...arrowLines(run, state, decision.rule)];
  }
}

const listed = (names: readonly string[] | undefined) => names?.join(', ') || 'nothing';

/** The row, arrow and rule of the decision, with their effects. */
function arrowLines(run: Run, state: string, { id, then, look }: AnyRule): readonly string[] {
  const arrow = run.interpreter.next(state, then);
  const to = run.step(state, then)?.to ?? arrow?.to ?? 'nowhere';
  const at = arrow?.absent === true ? 'absence: the controller' : arrowAt(run, state, then);
  return [
    `  row    ${arrow?.id ?? 'none'}  ${arrow?.at ?? sectionAt(run.table, 'Arrows')}`,
    `  arrow  ${state} → ${to}  ${at}`,
    `  rule   ${id}  ${ruleAt(run, id)}`,
    `  does ${listed(arrow?.does)}; ensures ${listed(arrow?.ensures)}; looks again ${lookText(look)}`,
  ];
}

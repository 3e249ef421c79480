import * as fc from 'fast-check';
import { commandIn, type Decision, decide } from '../../rules/engine.ts';
import { sectionAt } from '../tables/parse.ts';
import { documentsSay, UnknownState } from './documented.ts';
import { factsText } from './factsText.ts';
import { messagePattern } from './message.ts';
import type { Fault } from './outcome.ts';
import { type AnyRule, ruleAt, type Run } from './run.ts';
import { draw, type Drawn, factsPerRound } from './samples.ts';
import { thrownFault, thrownFrom, throwingRule, whyThrown } from './thrown.ts';

type AnyDecision = Decision<unknown, string, string>;
const eventOf = (decision: AnyDecision): string | null => (decision.is === 'event' ? decision.rule.then : null);

/** The states in which rules are tried: those of the table, and absence if a rule is for it. */
export const ruledStates = ({ states, rulesByState }: Run): readonly string[] => [
  ...states,
  ...(rulesByState.has('(none)') ? ['(none)'] : []),
];

/** How often each rule held, and the faults of the rules over generated facts. */
export interface RulesOverFacts {
  readonly held: Readonly<Record<string, number>>;
  readonly faults: readonly Fault[];
}

/** Known facts over which every rule holds in some state, where possible, and how often each did. */
export function drawnFacts(run: Run): Drawn {
  const states = ruledStates(run);
  const ids = run.rules.map(({ id }) => id);
  return draw(run.subject.facts, run.seed, ids, (facts) =>
    states.flatMap((state) => {
      const decision = safely(() => decide(run.rulesByState, state, facts));
      return decision?.is === 'event' ? [decision.rule.id] : [];
    }),
  );
}

const safely = <T>(look: () => T): T | undefined => {
  try {
    return look();
  } catch {
    return undefined;
  }
};

/**
 * Over known facts the rules agree with the documents, each rule holds somewhere, and only resting states have gaps.
 */
export function rulesOverFacts(run: Run, { samples, met }: Drawn = drawnFacts(run)): RulesOverFacts {
  const verdictOf = (state: string, facts: unknown) => {
    const wrong = wrongOver(run, state, facts, decide(run.rulesByState, state, facts));
    if (wrong !== null) throw new Error(wrong);
  };
  const faults = ruledStates(run).flatMap((state) => {
    const broken = brokenOver(run, { samples, facts: run.subject.facts, judge: (facts) => verdictOf(state, facts) });
    return broken === null ? [] : [factsFault(run, state, broken)];
  });
  return { held: met, faults: [...faults, ...(faults.length === 0 ? neverHeld(run, met, samples.length) : [])] };
}

/** The drawn facts, the source of more, and the check that throws on a fault. */
export interface Checked {
  readonly samples: readonly unknown[];
  readonly facts: fc.Arbitrary<unknown>;
  readonly judge: (facts: unknown) => void;
}

/** Facts with a fault, and the fault. */
export interface BrokenOver {
  readonly facts: unknown;
  readonly thrown: unknown;
}

/** The simplest facts over which the check throws; null if it throws over none of the samples. */
export function brokenOver({ seed }: Run, { samples, facts, judge: verdictOf }: Checked): BrokenOver | null {
  const thrownOver = (each: unknown): { readonly thrown: unknown } | null => {
    try {
      verdictOf(each);
      return null;
    } catch (thrown) {
      return { thrown };
    }
  };
  const first = samples.find((each) => thrownOver(each) !== null);
  if (first === undefined) return null;
  const details = fc.check(fc.property(facts, verdictOf), { seed, numRuns: factsPerRound });
  const plainest = details.counterexample?.[0] ?? first;
  return { facts: plainest, thrown: thrownOver(plainest)?.thrown };
}

/** What is wrong with one decision over known facts, in words; null if nothing is. */
export function wrongOver(run: Run, state: string, facts: unknown, decision: AnyDecision): string | null {
  if (decision.is === 'ask' || decision.is === 'unknown')
    return `the generated facts do not know ${String(decision.fact)}`;
  const wanted = documentsSay(run, state, facts);
  const event = eventOf(decision);
  if (event !== wanted) return `the documents say ${wanted ?? 'nothing happened'}, the rules ${foundText(decision)}`;
  if (decision.is === 'event') return wrongWords(run, decision.rule, facts);
  const rests = !isPass(facts) || state === '(none)' || run.table.rests.some((rest) => rest.state === state);
  return rests ? null : `no rule names what happened, and ${state} does not rest`;
}

/** A command may be one that nothing answers here, and an external change may be no move of the table. */
const isPass = (facts: unknown): boolean =>
  commandIn(facts) === null && ((facts as { readonly found?: unknown }).found ?? null) === null;

const foundText = (decision: AnyDecision) =>
  decision.is === 'event' ? `say ${decision.rule.then} (${decision.rule.id})` : 'find nothing';

/** The text of a rule that holds, and its next check. */
function wrongWords({ table }: Run, rule: AnyRule, facts: unknown): string | null {
  const { id, look } = rule;
  const said = rule.says(facts).text;
  const words = table.words.find((row) => row.rule === id)?.says;
  if (said === '') return `the rule ${id} says nothing`;
  if (words !== undefined && !messagePattern(words).test(said))
    return `the rule ${id} should say "${words}", it says "${said}"`;
  const moment = look && 'at' in look ? look.moment(facts) : 0;
  return Number.isFinite(moment) ? null : `the rule ${id} looks again at a moment that is none`;
}

function factsFault(run: Run, state: string, { facts, thrown }: BrokenOver): Fault {
  if (thrown instanceof UnknownState) return { check: 'rules', at: [thrown.at], text: thrown.message };
  const throwing = throwingRule(run, state, facts);
  if (throwing) return thrownFault(run, state, facts, throwing);
  const involved = involvedRules(run, state, facts);
  const from = thrown instanceof Error ? thrownFrom(thrown.cause) : null;
  const at = [...(from === null ? [] : [from]), ...involved.map(({ id }) => ruleAt(run, id))];
  const looks = involved.flatMap((rule) => [...rule.needs.map(readOf), (read: unknown) => rule.when(read)]);
  return {
    check: 'rules',
    at: at.length === 0 ? [lastRuleAt(run, state), sectionAt(run.table, 'Rest')] : at,
    text: `${state}: ${whyThrown(thrown)}, over the facts\n${factsText(facts, looks)}`,
  };
}

/** Where a missing rule of a state belongs: after its last one. */
function lastRuleAt(run: Run, state: string): string {
  const last = run.rulesByState.get(state)?.at(-1);
  return last ? ruleAt(run, last.id) : run.subject.files.rules;
}

const readOf = (name: string) => (facts: unknown) => (facts as Readonly<Record<string, unknown>>)[name];

/** The rule that decides over some facts, and the rules of the state for the documented event. */
function involvedRules(run: Run, state: string, facts: unknown): readonly AnyRule[] {
  const decision = decide(run.rulesByState, state, facts);
  const wanted = safely(() => documentsSay(run, state, facts));
  const held = decision.is === 'event' ? [decision.rule] : [];
  const meant = (run.rulesByState.get(state) ?? []).filter(({ then }) => then === wanted && then !== held[0]?.then);
  return [...held, ...meant];
}

const neverHeld = (run: Run, held: Drawn['met'], tried: number): readonly Fault[] =>
  run.rules
    .filter(({ id }) => held[id] === 0)
    .map(({ id, in: states }): Fault => ({
      check: 'rules',
      at: [ruleAt(run, id)],
      text: `the rule ${id} never held over ${tried} facts in ${states.join(', ')}: it is dead, or the generator never meets it`,
    }));

/** No rule throws over invalid facts, some of them not known. */
export function invalidFaults(run: Run): readonly Fault[] {
  const { invalid } = run.subject;
  const samples = fc.sample(invalid, { seed: run.seed, numRuns: factsPerRound / 2 });
  return ruledStates(run).flatMap((state) => {
    const verdictOf = (facts: unknown) => {
      const throwing = throwingRule(run, state, facts);
      if (throwing) throw throwing.thrown;
    };
    const broken = brokenOver(run, { samples, facts: invalid, judge: verdictOf });
    const throwing = broken && throwingRule(run, state, broken.facts);
    return broken && throwing ? [thrownFault(run, state, broken.facts, throwing)] : [];
  });
}

import * as fc from 'fast-check';
import { type Decision, decide } from '../../rules/engine.ts';
import { messagePattern } from './message.ts';
import type { Fault } from './outcome.ts';
import { type AnyRule, ruleAt, type Run } from './run.ts';

/** Facts tried in each state. */
export const factsPerState = 2_000;

type AnyDecision = Decision<unknown, string, string>;
const eventOf = (decision: AnyDecision): string | null => (decision.is === 'event' ? decision.rule.then : null);

/** Facts as a person reads them: one name a line, known facts without their wrapping. */
export function factsText(facts: unknown): string {
  if (typeof facts !== 'object' || facts === null) return JSON.stringify(facts);
  const shown = (value: unknown) =>
    typeof value === 'object' && value !== null && 'is' in value && value.is === 'known' && 'value' in value
      ? JSON.stringify(value.value)
      : JSON.stringify(value);
  return Object.entries(facts)
    .map(([name, value]) => `    ${name}: ${(shown(value) ?? 'undefined').slice(0, 200)}`)
    .join('\n');
}

/** States for which rules are tried: those of the table, and absence where a rule is for it. */
export const ruledStates = ({ states, rulesByState }: Run): readonly string[] => [
  ...states,
  ...(rulesByState.has('(none)') ? ['(none)'] : []),
];

/** How often each rule held, and what was wrong with the rules over generated facts. */
export interface RulesOverFacts {
  readonly held: Readonly<Record<string, number>>;
  readonly faults: readonly Fault[];
}

/** Over known facts the rules say what the documents say, each is met, and only a resting state leaves a gap. */
export function rulesOverFacts(run: Run): RulesOverFacts {
  const held: Record<string, number> = Object.fromEntries(run.rules.map(({ id }) => [id, 0]));
  const judge = (state: string, facts: unknown) => {
    const decision = decide(run.rulesByState, state, facts);
    const wrong = wrongOver(run, state, facts, decision);
    if (wrong !== null) throw new Error(wrong);
    if (decision.is === 'event') held[decision.rule.id] = (held[decision.rule.id] ?? 0) + 1;
  };
  const samples = fc.sample(run.subject.facts, { seed: run.seed, numRuns: factsPerState });
  const faults = ruledStates(run).flatMap((state) => {
    const broken = brokenOver(run, { samples, facts: run.subject.facts, judge: (facts) => judge(state, facts) });
    return broken === null ? [] : [factsFault(run, state, broken)];
  });
  return { held, faults: [...faults, ...(faults.length === 0 ? neverHeld(run, held) : [])] };
}

interface Judged {
  readonly samples: readonly unknown[];
  readonly facts: fc.Arbitrary<unknown>;
  readonly judge: (facts: unknown) => void;
}

/** Facts over which something is wrong, and what. */
interface BrokenOver {
  readonly facts: unknown;
  readonly why: string;
}

/** The plainest facts over which the judge throws; null when he throws over none of the samples. */
function brokenOver({ seed }: Run, { samples, facts, judge }: Judged): BrokenOver | null {
  const thrownOver = (each: unknown): string | null => {
    try {
      judge(each);
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
  const first = samples.find((each) => thrownOver(each) !== null);
  if (first === undefined) return null;
  const details = fc.check(fc.property(facts, judge), { seed, numRuns: factsPerState });
  const plainest = details.counterexample?.[0] ?? first;
  return { facts: plainest, why: thrownOver(plainest) ?? '' };
}

/** What one decision over known facts gets wrong, in words; null when it is right. */
export function wrongOver(run: Run, state: string, facts: unknown, decision: AnyDecision): string | null {
  if (decision.is === 'ask' || decision.is === 'unknown')
    return `the generated facts do not know ${String(decision.fact)}`;
  const wanted = run.subject.documents(state, facts);
  const event = eventOf(decision);
  if (event !== wanted) return `the documents say ${wanted ?? 'nothing happened'}, the rules ${foundText(decision)}`;
  if (decision.is === 'event') return wrongWords(run, decision.rule, facts);
  const rests = state === '(none)' || run.table.rests.some((rest) => rest.state === state);
  return rests ? null : `no rule names what happened, and ${state} does not rest`;
}

const foundText = (decision: AnyDecision) =>
  decision.is === 'event' ? `say ${decision.rule.then} (${decision.rule.id})` : 'find nothing';

/** What a rule that holds says, and when it looks again. */
function wrongWords({ table }: Run, rule: AnyRule, facts: unknown): string | null {
  const { id, look } = rule;
  const said = rule.says(facts);
  const words = table.words.find((row) => row.rule === id)?.says;
  if (said === '') return `the rule ${id} says nothing`;
  if (words !== undefined && !messagePattern(words).test(said))
    return `the rule ${id} should say "${words}", it says "${said}"`;
  const moment = look && 'at' in look ? look.moment(facts) : 0;
  return Number.isFinite(moment) ? null : `the rule ${id} looks again at a moment that is none`;
}

function factsFault(run: Run, state: string, { facts, why }: BrokenOver): Fault {
  const [, rule] = /\(([a-z0-9-]+)\)$/.exec(why) ?? /^the rule (\S+) /.exec(why) ?? [];
  return {
    check: 'rules',
    at: [rule === undefined ? run.subject.files.rules : ruleAt(run, rule)],
    text: `${state}: ${why}, over the facts\n${factsText(facts)}`,
  };
}

const neverHeld = (run: Run, held: Readonly<Record<string, number>>): readonly Fault[] =>
  run.rules
    .filter(({ id }) => held[id] === 0)
    .map(({ id, in: states }): Fault => ({
      check: 'rules',
      at: [ruleAt(run, id)],
      text: `the rule ${id} never held over ${factsPerState} facts in ${states.join(', ')}: it is dead, or the generator never meets it`,
    }));

/** Over facts nobody should send, some of them not known, no rule throws. */
export function hostileFaults(run: Run): readonly Fault[] {
  const { hostile } = run.subject;
  const samples = fc.sample(hostile, { seed: run.seed, numRuns: factsPerState / 2 });
  return ruledStates(run).flatMap((state) => {
    const judge = (facts: unknown) => {
      const decision = decide(run.rulesByState, state, facts);
      if (decision.is === 'event') spoken(decision.rule, facts);
    };
    const broken = brokenOver(run, { samples, facts: hostile, judge });
    if (broken === null) return [];
    const text = `${state}: a rule throws "${broken.why}", over the facts\n${factsText(broken.facts)}`;
    return [{ check: 'rules', at: [run.subject.files.rules], text } satisfies Fault];
  });
}

function spoken(rule: AnyRule, facts: unknown): void {
  const said: unknown = rule.says(facts);
  if (typeof said !== 'string') throw new TypeError(`${rule.id} says no text`);
}

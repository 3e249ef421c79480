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
  const faults = ruledStates(run).flatMap((state) => {
    const details = fc.check(
      fc.property(run.subject.facts, (facts) => {
        const decision = decide(run.rulesByState, state, facts);
        const { is } = decision;
        if (is === 'event') held[decision.rule.id] = (held[decision.rule.id] ?? 0) + 1;
        const wrong = wrongOver(run, state, facts, decision);
        if (wrong !== null) throw new Error(wrong);
      }),
      { seed: run.seed, numRuns: factsPerState },
    );
    return details.failed ? [factsFault(run, state, details)] : [];
  });
  return { held, faults: [...faults, ...(faults.length === 0 ? neverHeld(run, held) : [])] };
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

function factsFault(run: Run, state: string, details: fc.RunDetails<[unknown]>): Fault {
  const [facts] = details.counterexample ?? [undefined];
  const thrown = details.errorInstance;
  const decision = safely(() => decide(run.rulesByState, state, facts));
  const rule = decision?.is === 'event' ? decision.rule.id : undefined;
  return {
    check: 'rules',
    at: [rule === undefined ? run.subject.files.rules : ruleAt(run, rule)],
    text: `${state}: ${thrown instanceof Error ? thrown.message : String(thrown)}, over the facts\n${factsText(facts)}`,
  };
}

const safely = <T>(of: () => T): T | undefined => {
  try {
    return of();
  } catch {
    return undefined;
  }
};

const neverHeld = (run: Run, held: Readonly<Record<string, number>>): readonly Fault[] =>
  run.rules
    .filter(({ id }) => held[id] === 0)
    .map(({ id, in: states }): Fault => ({
      check: 'rules',
      at: [ruleAt(run, id)],
      text: `the rule ${id} never held over ${factsPerState} facts in ${states.join(', ')}: it is dead, or the generator never meets it`,
    }));

/** Over facts nobody should send, some of them not known, no rule throws. */
export const hostileFaults = (run: Run): readonly Fault[] =>
  ruledStates(run).flatMap((state) => {
    const details = fc.check(
      fc.property(run.subject.hostile, (facts) => {
        const decision = decide(run.rulesByState, state, facts);
        if (decision.is === 'event') spoken(decision.rule, facts);
      }),
      { seed: run.seed, numRuns: factsPerState / 2 },
    );
    if (!details.failed) return [];
    const [facts] = details.counterexample ?? [undefined];
    const why = details.errorInstance instanceof Error ? details.errorInstance.message : String(details.errorInstance);
    const text = `${state}: a rule throws "${why}", over the facts\n${factsText(facts)}`;
    return [{ check: 'rules', at: [run.subject.files.rules], text } satisfies Fault];
  });

function spoken(rule: AnyRule, facts: unknown): void {
  const said: unknown = rule.says(facts);
  if (typeof said !== 'string') throw new TypeError(`${rule.id} says no text`);
}

import { decide } from '../../rules/engine.ts';
import { factsText } from './factsText.ts';
import type { Fault } from './outcome.ts';
import { type AnyRule, ruleAt, type Run } from './run.ts';

/** The message of a thrown value. */
export const whyThrown = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

const inSources = /(?:file:\/\/)?\/[^\s()]*?\/((?:rules|machines|specs\/lifecycles)\/[\w./-]+\.ts:\d+)/g;
/** Code that calls rules and verdicts is never where they are wrong. */
const engine = /^rules\/(engine|verdict)\.ts/;

/** The line of a machine, a rule table or a lifecycle's subject that threw, if one of them did. */
export function thrownFrom(thrown: unknown): string | null {
  if (!(thrown instanceof Error)) return null;
  const places = [...(thrown.stack ?? '').matchAll(inSources)].map(([, place = '']) => place);
  return places.find((place) => !engine.test(place)) ?? null;
}

/** A rule that throws over some facts, and the thrown value. */
export interface Throwing {
  readonly rule: AnyRule;
  readonly thrown: unknown;
}

/** The rule that throws while the rules of a state decide over some facts, or describe what happened. */
export function throwingRule({ rulesByState }: Run, state: string, facts: unknown): Throwing | null {
  for (const rule of rulesByState.get(state) ?? [])
    try {
      const decision = decide<unknown, string, string>(new Map([[state, [rule]]]), state, facts);
      if (decision.is === 'nothing') continue;
      if (decision.is === 'event') spoken(rule, facts);
      return null;
    } catch (thrown) {
      return { rule, thrown };
    }
  return null;
}

function spoken(rule: AnyRule, facts: unknown): void {
  const said: unknown = rule.says(facts).text;
  if (typeof said !== 'string') throw new TypeError('it says no text');
}

/** The report about a rule that throws. */
export function thrownFault(run: Run, state: string, facts: unknown, { rule, thrown }: Throwing): Fault {
  const from = thrownFrom(thrown);
  const at = [ruleAt(run, rule.id), ...(from === null || from === ruleAt(run, rule.id) ? [] : [from])];
  const looks = [(read: unknown) => rule.when(read), (read: unknown) => rule.says(read)];
  const text = `${state}: the rule ${rule.id} throws "${whyThrown(thrown)}", over the facts`;
  return { check: 'rules', at, text: `${text}\n${factsText(facts, looks)}` };
}

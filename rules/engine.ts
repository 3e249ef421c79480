import type { Fact, FactName, Narrowed } from './fact.ts';
import type { Message } from './words.ts';

/**
 * When the object is next checked: after a duration, or later at a time that a fact names, such as the end of a rate
 * limit; or at the time that `at` names, such as the end of a lifetime. Times are ms since the epoch.
 */
export type Look<Facts> =
  | { readonly afterMs: number; readonly reset?: (facts: Facts) => number | undefined }
  | { readonly at: string; readonly moment: (facts: Facts) => number };

/** The time from `now` until the next check. */
export function requeueAfterMs<Facts>(look: Look<Facts>, facts: Facts, now: number): number {
  if ('at' in look) return Math.max(look.moment(facts) - now, 0);
  const resetAt = look.reset?.(facts) ?? 0;
  return resetAt > now ? resetAt - now : look.afterMs;
}

/** The state in which no object exists: its rules say when one is created, or why it may not be. */
export type Absence = '(none)';

type NameOf<Asked> = Asked extends string
  ? Asked
  : Asked extends { readonly is: infer Name extends string }
    ? Name
    : never;

/** The commands of a lifecycle: the names that its fact `asked` may have, which is null without a command. */
export type CommandOf<Facts> = Facts extends { readonly asked: infer Asked } ? NameOf<Asked> : string;

/** When a rule is evaluated, besides its states. Rules with neither field are evaluated in passes. */
interface Purpose<Facts> {
  /** The commands that it answers: it is not evaluated in passes, and its arrows start nothing outside the process. */
  readonly answers?: readonly CommandOf<Facts>[];
  /** It refuses the command with its own message: nothing is written, and the caller receives the refusal. */
  readonly refuses?: true;
  /** It records what has already happened, so a command evaluates it too before it is answered. */
  readonly finds?: true;
}

/** A row of an event table: in these states, when the condition holds over known facts, this event happened. */
export interface EventRule<Facts, State extends string, Event extends string> extends Purpose<Facts> {
  readonly id: string;
  readonly in: readonly State[];
  readonly needs: readonly FactName<Facts>[];
  when(facts: Facts): boolean;
  readonly then: Event;
  says(facts: Facts): Message;
  readonly look?: Look<Facts>;
}

/**
 * Builds rules in which `when` and `says` read only the facts named by `needs`, typed as known. The type of a rule
 * keeps its id, for what is keyed by rules.
 */
export const ruleFor =
  <Facts, State extends string, Event extends string>() =>
  <const Id extends string, const Needed extends FactName<Facts> = never>(
    rule: Purpose<Facts> & {
      readonly id: Id;
      readonly in: readonly State[];
      readonly needs?: readonly Needed[];
      readonly when: (facts: Narrowed<Facts, Needed>) => boolean;
      readonly then: Event;
      readonly says: (facts: Narrowed<Facts, Needed>) => Message;
      readonly look?: Look<Narrowed<Facts, Needed>>;
    },
  ): EventRule<Facts, State, Event> & { readonly id: Id } =>
    ({ needs: [], ...rule }) as EventRule<Facts, State, Event> & { readonly id: Id };

/**
 * The result of the rules: a rule held (`event`); a rule needs a fact that was not asked for (`ask`), or that could not
 * be read (`unknown`), which ends the decision; or no rule held (`nothing`).
 */
export type Decision<Facts, State extends string, Event extends string> = {
  /** Ids of the evaluated rules, in order; the last one held when `is` is `event`. */
  readonly tried: readonly string[];
} & (
  | { readonly is: 'event'; readonly rule: EventRule<Facts, State, Event> }
  | { readonly is: 'ask'; readonly fact: FactName<Facts> }
  | { readonly is: 'unknown'; readonly fact: FactName<Facts>; readonly why: string }
  | { readonly is: 'nothing' }
);

/** A compiled event table: its rules by state, in order. */
export type RulesByState<Facts, State extends string, Event extends string> = ReadonlyMap<
  State,
  readonly EventRule<Facts, State, Event>[]
>;

/** Compiles an event table once, so that a decision visits only the rules of its state. */
export function byState<Facts, State extends string, Event extends string>(
  table: readonly EventRule<Facts, State, Event>[],
): RulesByState<Facts, State, Event> {
  const rules = new Map<State, EventRule<Facts, State, Event>[]>();
  for (const rule of table)
    for (const state of rule.in) {
      const those = rules.get(state);
      if (those) those.push(rule);
      else rules.set(state, [rule]);
    }
  return rules;
}

const nameOf = (asked: unknown): string | null => {
  if (typeof asked === 'string') return asked;
  return typeof asked === 'object' && asked !== null && 'is' in asked ? String(asked.is) : null;
};

/** The command in the facts; null in a pass. */
export const commandIn = (facts: unknown): string | null =>
  nameOf((facts as { readonly asked?: unknown } | null)?.asked);

/** Whether the state was written by another client: the rules determine what led to it. */
const hasFound = (facts: unknown): boolean => ((facts as { readonly found?: unknown } | null)?.found ?? null) !== null;

/** Whether a rule is evaluated: in a pass, for an external change, or for a command after it. */
function isTriedOver<Facts, State extends string, Event extends string>(
  facts: Facts,
): (rule: EventRule<Facts, State, Event>) => boolean {
  if (hasFound(facts)) return ({ finds }) => finds === true;
  const command = commandIn(facts);
  if (command === null) return ({ answers }) => answers === undefined;
  return ({ answers, finds }) => finds === true || answers?.some((answered) => answered === command) === true;
}

/**
 * Decides an event table: the first rule that holds wins. A rule whose fact is unasked requests it; an unknown fact
 * ends the decision.
 */
export function decide<Facts, State extends string, Event extends string>(
  rules: RulesByState<Facts, State, Event>,
  state: State,
  facts: Facts,
): Decision<Facts, State, Event> {
  const isTried = isTriedOver<Facts, State, Event>(facts);
  const tried: string[] = [];
  for (const rule of rules.get(state) ?? []) {
    if (!isTried(rule)) continue;
    for (const fact of rule.needs) {
      const needed = facts[fact] as Fact<unknown>;
      if (needed.is === 'unasked') return { is: 'ask', fact, tried };
      if (needed.is === 'unknown') return { is: 'unknown', fact, why: needed.why, tried };
    }
    tried.push(rule.id);
    if (rule.when(facts)) return { is: 'event', rule, tried };
  }
  return { is: 'nothing', tried };
}

import type { Param } from '../../crds/kind.ts';
import type { Row } from '../../machines/table.ts';
import { type Absence, decide, type Decision, type EventRule, requeueAfterMs } from '../../rules/engine.ts';
import { rowTaken } from './audit.ts';
import { takeArrow, type Taken } from './machine.ts';
import type { Stepper } from '../contract/stepper.ts';

/** The state of an object that does not exist, before creation and after deletion. */
export const absent: Absence = '(none)';
export type Gone = '(deleted)';
export const gone: Gone = '(deleted)';

/** An event without an arrow in this state of machine and table; nothing is written. */
export interface StepRefusal {
  readonly machine: string;
  readonly from: string;
  readonly event: string;
  readonly message: string;
}

/** One arrow, taken by an event. */
export interface Move<State extends string = string, Event extends string = string> extends Taken {
  readonly event: Event;
  /** The id of the rule that held. */
  readonly rule: string;
  readonly from: State | Absence;
  readonly to: State | Absence | Gone;
  readonly text: string;
  readonly params?: readonly Param[] | undefined;
  /** In how many ms to requeue; null for never. */
  readonly requeueAfterMs: number | null;
}

/** A decision and its result: a move of the table, or a refusal when the table has no such arrow. */
export type Stepped<Facts, State extends string, Event extends string> = {
  readonly decision: Decision<Facts, State | Absence, Event>;
} & (
  | { readonly is: 'moved'; readonly move: Move<State, Event> }
  | { readonly is: 'refused'; readonly refusal: StepRefusal }
  /** No rule held, or a fact is missing; the decision says which. */
  | { readonly is: 'undecided' }
);

/**
 * Takes every decision, for passes, commands, external changes and explanations: (state or absence, facts) → event,
 * next state, named actions, message, and when to requeue. Pure.
 */
export function step<Facts extends { readonly now: number }, State extends string, Event extends string>(
  of: Stepper<Facts, State, Event>,
  from: State | Absence,
  facts: Facts,
): Stepped<Facts, State, Event> {
  const decision = decide(of.rules, from, facts);
  if (decision.is !== 'event') return { is: 'undecided', decision };
  const { rule } = decision;
  const taken = arrowOf(of, from, rule.then);
  if (taken === null) {
    const text = `the table has no arrow for ${rule.then} in ${from}: refused`;
    return { is: 'refused', refusal: { machine: of.name, from, event: rule.then, message: text }, decision };
  }
  const { actions, to } = taken;
  return { is: 'moved', move: { ...said(rule, facts), actions, from, to: to as State }, decision };
}

const said = <Facts extends { readonly now: number }, State extends string, Event extends string>(
  rule: EventRule<Facts, State, Event>,
  facts: Facts,
) => ({
  ...rule.says(facts),
  event: rule.then,
  rule: rule.id,
  requeueAfterMs: rule.look === undefined ? null : requeueAfterMs(rule.look, facts, facts.now),
});

/** The arrow in both table and machine; one from or to absence is in the table only. */
export function arrowOf(
  { machine, rows, absence }: Pick<Stepper<never, string, string>, 'machine' | 'rows' | 'absence'>,
  from: string,
  event: string,
): Taken | null {
  const taken = takeArrow(machine, from, event);
  if (taken !== null) return rowTaken(rows, { from, event, to: taken.to }) ? taken : null;
  const row = absence.find((one) => one.event === event && leavesFrom(one, from));
  return row ? { to: row.to === 'same' ? from : row.to, actions: row.does } : null;
}

const leavesFrom = ({ from }: Row, state: string): boolean =>
  from.includes(state) || (from[0] === 'any' && state !== absent);

import type { AnyStateMachine } from 'xstate';
import type { Row } from '../machines/table.ts';
import { type Absence, decide, type RulesByState } from '../rules/engine.ts';
import { rowTaken } from './audit.ts';
import { step } from './step.ts';

const absent = '(none)';

/**
 * A lifecycle whose instances are no resources: a key of a Secret, an entry in memory, a sealed cookie. It has no passes;
 * something happens to an instance when somebody asks, and what that is the rules tell.
 */
export interface Kept<Facts, State extends string, Event extends string> {
  readonly name: string;
  readonly machine: AnyStateMachine;
  readonly rules: RulesByState<Facts, State | Absence, Event>;
  readonly rows: readonly Row[];
  /** Rows that lead from or to where nothing is: the machine has no arrow there. */
  readonly absence: readonly Row[];
}

/** What happened to an instance, and what is to be done about it. */
export interface Happened<State extends string, Event extends string> {
  readonly event: Event;
  readonly rule: string;
  readonly from: State | Absence;
  readonly to: State | Absence | '(deleted)';
  readonly actions: readonly string[];
  readonly text: string;
}

/**
 * Decides what happened to an instance in that state, and steps its machine. Facts that cost something are known by
 * then. Throws where rules and table disagree: a broken promise of ours, which leaves everything as it was.
 */
export function happen<Facts, State extends string, Event extends string>(
  kept: Kept<Facts, State, Event>,
  from: State | Absence,
  facts: Facts,
): Happened<State, Event> {
  const decision = decide(kept.rules, from, facts);
  if (decision.is !== 'event') throw new Error(`${kept.name}: nothing can be decided in ${from}`);
  const { rule } = decision;
  const taken = from === absent ? null : step(kept.machine, from, rule.then);
  const to = taken?.to ?? kept.absence.find((row) => row.event === rule.then && row.from.includes(from))?.to;
  const row = to === undefined ? undefined : rowTaken([...kept.rows, ...kept.absence], { from, event: rule.then, to });
  if (to === undefined || row === undefined) throw new Error(`${kept.name}: the table has no ${rule.then} in ${from}`);
  return {
    event: rule.then,
    rule: rule.id,
    from,
    to: to as State,
    actions: taken?.actions ?? row.does,
    text: rule.says(facts),
  };
}

import type { AnyStateMachine } from 'xstate';
import { byState, type EventRule, type RulesByState } from '../../rules/engine.ts';
import { ensuresOf, statesOf as statesOfMachine, takeArrow, type Taken } from '../../runtime/step/machine.ts';
import { type Arrow, arrowsOf } from '../tables/arrows.ts';
import { type Parsed, statesOf } from '../tables/parse.ts';
import type { Places } from './outcome.ts';
import type { AnySubject } from './subject.ts';

export type AnyRule = EventRule<unknown, string, string>;

/** The independent interpreter of a table: derives what follows from the rows alone and never from the machine. */
interface Interpreter {
  readonly arrows: readonly Arrow[];
  next(state: string, event: string): Arrow | undefined;
}

function interpreterOf(table: Parsed): Interpreter {
  const arrows = arrowsOf(table);
  const byKey = new Map(arrows.map((arrow) => [`${arrow.from} ${arrow.event}`, arrow]));
  return { arrows, next: (state, event) => byKey.get(`${state} ${event}`) };
}

/** One lifecycle prepared for a run: its table, machine and rules, each of which may be a mutant. */
export interface Run {
  readonly subject: AnySubject;
  readonly table: Parsed;
  readonly places: Places;
  readonly interpreter: Interpreter;
  readonly machine: AnyStateMachine;
  readonly rules: readonly AnyRule[];
  readonly rulesByState: RulesByState<unknown, string, string>;
  readonly states: readonly string[];
  readonly seed: number;
  /** The step of the machine; null if it has no such arrow. */
  step(state: string, event: string): Taken | null;
  ensures(state: string): readonly string[];
}

type RunInput = Pick<Run, 'subject' | 'table' | 'places' | 'seed'> & Partial<Pick<Run, 'machine' | 'rules'>>;

/** The same run with one change: in a mutant of a machine only one state differs from the original. */
export interface Changed {
  readonly machine?: AnyStateMachine;
  readonly state?: string;
  readonly rules?: readonly AnyRule[];
}

export function changedRun(run: Run, { machine, state, rules }: Changed): Run {
  const mutant = runOf({ ...run, machine: machine ?? run.machine, rules: rules ?? run.rules });
  return machine === undefined
    ? { ...mutant, step: (from, event) => run.step(from, event) }
    : {
        ...mutant,
        step: (from, event) => (from === state ? mutant : run).step(from, event),
        ensures: (of) => (of === state ? mutant : run).ensures(of),
      };
}

/** A run over the subject's own machine and rules, or over given replacements. */
export function runOf({ machine, rules, ...given }: RunInput): Run {
  const { subject, table } = given;
  const used = machine ?? subject.machine;
  const steps = new Map<string, Taken | null>();
  const builtStates = statesOfMachine(used);
  return {
    subject,
    table,
    places: given.places,
    seed: given.seed,
    interpreter: interpreterOf(table),
    machine: used,
    rules: rules ?? subject.rules,
    rulesByState: byState<unknown, string, string>(rules ?? subject.rules),
    states: [...new Set([...statesOf(table), ...builtStates])],
    step(state, event) {
      const key = `${state} ${event}`;
      let taken = steps.get(key);
      if (taken === undefined) {
        taken = builtStates.includes(state) ? takeArrow(used, state, event) : null;
        steps.set(key, taken);
      }
      return taken;
    },
    ensures: (state) => ensuresOf(used, state),
  };
}

/** Where the machine defines the arrow of a state and event; otherwise where it defines the state. */
export const arrowAt = ({ places, subject }: Run, state: string, event: string): string =>
  places.arrows[`${state} ${event}`] ?? places.arrows[state] ?? subject.files.machine;

export const ruleAt = ({ places, subject }: Run, id: string): string => places.rules[id] ?? subject.files.rules;

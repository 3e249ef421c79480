import { type AnyStateMachine, transition } from 'xstate';

/** One taken arrow of a machine. */
export interface Taken {
  readonly to: string;
  readonly actions: readonly string[];
}

/** The states of a machine, as plain data. */
export const statesOf = (machine: AnyStateMachine): readonly string[] => Object.keys(machine.states);

export const hasState = (machine: AnyStateMachine, state: string): boolean => state in machine.states;

export const hasArrow = (machine: AnyStateMachine, from: string, event: string): boolean =>
  machine.states[from]?.transitions.has(event) ?? false;

/** The ensures of a state. */
export const ensuresOf = (machine: AnyStateMachine, state: string): readonly string[] =>
  (machine.states[state]?.meta as { readonly ensures?: readonly string[] } | undefined)?.ensures ?? [];

/** (state, event) → next state and named actions; null when the machine has no such arrow. Pure. */
export function takeArrow(machine: AnyStateMachine, from: string, event: string): Taken | null {
  if (!hasArrow(machine, from, event)) return null;
  const arrows = taken.get(machine) ?? new Map<string, Taken>();
  taken.set(machine, arrows);
  const arrow = `${from} ${event}`;
  const found = arrows.get(arrow) ?? transitionOf(machine, from, event);
  arrows.set(arrow, found);
  return found;
}

/** Cached, because a machine has neither context nor guards: an arrow always has the same result. */
const taken = new WeakMap<AnyStateMachine, Map<string, Taken>>();

function transitionOf(machine: AnyStateMachine, from: string, event: string): Taken {
  const [next, actions] = transition(machine, machine.resolveState({ value: from, context: {} }), { type: event });
  return { to: String(next.value), actions: actions.map(({ type }) => type) };
}

import { type AnyStateMachine, createMachine } from 'xstate';
import type { Run } from '../../check/run.ts';
import type { Arrow } from '../../tables/arrows.ts';
import { ensured, type Play, sameWorld } from './play.ts';

/** The combined action of an arrow: its actions in order, then the state is entered. */
export const doingOf = ({ from, event }: Pick<Arrow, 'from' | 'event'>): string => `${from} ${event}`;

export const removed = 'objectRemoved';

/** Every arrow of a lifecycle: those of its machine, and those of its table from and to absence. */
export const arrowsPlayed = (run: Run): readonly Arrow[] =>
  run.interpreter.arrows.map((arrow) => {
    const taken = run.step(arrow.from, arrow.event);
    return taken === null ? arrow : { ...arrow, to: taken.to, does: taken.actions };
  });

interface State {
  readonly meta: { readonly ensures: readonly string[] };
  readonly on: Readonly<Record<string, { readonly target: string; readonly actions: string }>>;
}

/** The machine of a lifecycle with absence as an ordinary state and one combined action for each arrow. */
export function machinePlayed(run: Run): AnyStateMachine {
  const arrows = arrowsPlayed(run);
  const names = [...new Set([...run.states, ...arrows.flatMap(({ from, to }) => [from, to])])];
  const stateOf = (name: string): State => ({
    meta: { ensures: ensuresIn(run, name) },
    on: Object.fromEntries(
      arrows
        .filter(({ from }) => from === name)
        .map((arrow) => [arrow.event, { target: arrow.to, actions: doingOf(arrow) }]),
    ),
  });
  return createMachine({
    id: run.subject.name,
    initial: names[0] ?? '',
    states: Object.fromEntries(names.map((name) => [name, stateOf(name)])),
  });
}

/** The ensures of a state; an object that must not exist is removed. */
export function ensuresIn(run: Run, state: string): readonly string[] {
  if (state === '(deleted)') return [...absentEnsures(run, state), removed];
  return run.machine.states[state] ? run.ensures(state) : absentEnsures(run, state);
}

const absentEnsures = ({ interpreter }: Run, state: string): readonly string[] => [
  ...new Set(interpreter.arrows.filter(({ to }) => to === state).flatMap(({ ensures }) => ensures)),
];

/** The ensures of a world's state that do not hold yet. */
export const lacking = (play: Play, world: unknown): readonly string[] =>
  ensuresIn(play.run, play.model.state(world)).filter((name) => !sameWorld(world, ensured(play, world, [name])));

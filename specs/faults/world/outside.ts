import { Effect } from 'effect';
import type { Act, Command } from '../subjects/subject.ts';
import { ofKind } from '../plan/trouble.ts';
import type { Running, Stage } from './stage.ts';

/** Users and external systems: each acts when everything is temporarily idle. */
export interface Outside {
  /** Whether anything was done; `started` is null while no operator runs. */
  readonly act: (started: Running | null) => Promise<boolean>;
  /** The time of the next action that is due by itself. */
  readonly nextAt: () => number;
  /** Whether the script is finished. */
  readonly over: () => boolean;
}

/** Nobody reacts faster than this. */
const beforeHandMs = 1_000;

export function makeOutside(stage: Stage): Outside {
  const { plan, world, time, log, tally } = stage;
  const { path, subject, troubles } = plan;
  const actors = path.actors(world);
  let hands = ofKind(troubles, 'hand');
  let next = 0;
  let inState = '';
  let since = time.now();

  /** The pending command to a process, until it responds or dies. */
  let asked: Asked | null = null;

  const askedBy = (started: Running | null, { asks, command }: (typeof path.script)[number]) => {
    if (asks) return askBeside(started, asks);
    return command ? ask(started, command) : null;
  };

  const actOut = async (started: Running | null): Promise<boolean> => {
    const coming = path.script[next];
    if (!coming) return false;
    if (asked !== null && asked.of === started && asked.answer === 'none') return false;
    const isDone = asked?.answer === 'done';
    const wasAsked = asked !== null;
    asked = null;
    if (isDone) return (next++, true);
    if (!coming.when(world)) {
      // The command took effect although its response was lost.
      if (wasAsked) next++;
      return false;
    }
    log.add('outside', coming.text);
    coming.hand?.(world);
    if (coming.command || coming.asks) {
      asked = askedBy(started, coming);
      if (asked === null) return false;
      await time.settle();
      return asked.answer !== 'none' || started !== null;
    }
    next++;
    return true;
  };

  const actByHand = (): boolean => {
    const state = subject.state(world);
    if (state !== inState) since = time.now();
    inState = state;
    const rests = time.now() >= since + beforeHandMs;
    if (rests && state !== '' && tally.states.at(-1) !== state) tally.states.push(state);
    const due = rests && hands.find((hand) => hand.in === state);
    if (!due) return false;
    hands = hands.filter((hand) => hand !== due);
    stage.hand(due);
    return true;
  };

  return {
    act: async (started) => {
      if (actByHand()) return true;
      for (const actor of actors) {
        const did = actor.act(time.now());
        if (did === null) continue;
        log.add('outside', did);
        return true;
      }
      return actOut(started);
    },
    nextAt: () =>
      Math.min(
        ...actors.map((actor) => actor.nextAt()),
        hands.some((hand) => hand.in === inState) ? since + beforeHandMs : Infinity,
      ),
    over: () => next + (asked === null ? 0 : 1) >= path.script.length,
  };
}

/** Asks what runs beside an operator; a process that dies is never done. */
function askBeside(of: Running | null, asks: NonNullable<Act['asks']>): Asked {
  const given: Asked = { of, answer: 'none' };
  if (!of?.beside) return { of, answer: 'failed' };
  void asks(of.beside).then(() => (given.answer = 'done'));
  return given;
}

interface Asked {
  readonly of: Running | null;
  answer: 'none' | 'done' | 'failed';
}

/** Sends one command to a running operator. A process that dies never responds, so the command goes to the next one. */
function ask(of: Running | null, { kind, machine, name, asked, object }: Command): Asked {
  const given: Asked = { of, answer: 'none' };
  const controller = of?.operator.controllers.find(({ resource }) => resource.kind === kind);
  const lifecycle = controller?.lifecycles.find((one) => one.name === machine);
  if (!of || !controller || !lifecycle) return { of, answer: 'failed' };
  const answer = (is: Asked['answer']) =>
    Effect.sync(() => {
      given.answer = is;
    });
  const command = { asked, by: 'admin' };
  const done =
    object === undefined
      ? of.operator.move(controller, lifecycle, name, command)
      : of.operator.create(controller, lifecycle, object, command);
  // REST is served once the caches are there.
  void Effect.runPromise(
    Effect.matchEffect(Effect.andThen(of.operator.ready, done), {
      onSuccess: () => answer('done'),
      onFailure: ({ _tag }) => answer(_tag === 'NoAnswer' || _tag === 'AlreadyExists' ? 'done' : 'failed'),
    }),
  );
  return given;
}

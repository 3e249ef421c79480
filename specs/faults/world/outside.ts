import { Effect } from 'effect';
import type { Started } from '../../../runtime/start.ts';
import type { Command } from '../subjects/subject.ts';
import { ofKind } from '../plan/trouble.ts';
import type { Stage } from './stage.ts';

/** The people, and all that runs outside: each acts when the world is at rest for the moment. */
export interface Outside {
  /** Whether anything was done; `started` is null while no operator runs. */
  readonly act: (started: Started | null) => Promise<boolean>;
  /** When somebody acts next by himself. */
  readonly nextAt: () => number;
  /** Whether the script came to its end. */
  readonly over: () => boolean;
}

/** Nobody is quicker than that. */
const beforeHandMs = 1_000;

export function makeOutside(stage: Stage): Outside {
  const { plan, world, time, log, tally } = stage;
  const { path, subject, troubles } = plan;
  const actors = path.actors(world);
  let hands = ofKind(troubles, 'hand');
  let next = 0;
  let unanswered = false;
  let inState = '';
  let since = time.now();

  const actOut = async (started: Started | null): Promise<boolean> => {
    const coming = path.script[next];
    if (!coming) return false;
    if (!coming.when(world)) {
      // What was asked for has come to pass, though nobody answered.
      if (unanswered) next++;
      unanswered = false;
      return false;
    }
    log.add('outside', coming.text);
    coming.hand?.(world);
    unanswered = coming.command !== undefined && !(await ask(stage, started, coming.command));
    if (unanswered) return started !== null;
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
    over: () => next + (unanswered ? 1 : 0) >= path.script.length,
  };
}

/** Asks one thing of a running operator. A process that dies never answers: whoever asked asks again. */
async function ask({ time }: Stage, started: Started | null, command: Command): Promise<boolean> {
  const controller = started?.operator.controllers.find(({ resource }) => resource.kind === command.kind);
  const lifecycle = controller?.lifecycles.find(({ name }) => name === command.machine);
  if (!started || !controller || !lifecycle) return false;
  let answered = false;
  const answer = (is: boolean) =>
    Effect.sync(() => {
      answered = is;
    });
  const { name, event } = command;
  void Effect.runPromise(
    Effect.matchEffect(started.operator.move(controller, lifecycle, name, { event, by: 'ada', text: 'asked' }), {
      onSuccess: () => answer(true),
      onFailure: ({ _tag }) => answer(_tag === 'NoArrow'),
    }),
  );
  await time.settle();
  return answered;
}

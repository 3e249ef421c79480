import { Clock, Data, Effect } from 'effect';
import type { KubeObject } from '../crds/kind.ts';
import { apply } from './apply.ts';
import type { Around } from './around.ts';
import { legalStep } from './legal.ts';
import type { AnyLifecycle, Asked, Controller } from './lifecycle.ts';
import { monotonicMs } from './monotonic.ts';
import { record } from './record.ts';
import { Cluster, type WriteError } from './services/cluster.ts';
import { movedFrom, takeUp } from './takeUp.ts';

/** The machine has no arrow for this command in this state. */
export class NoArrow extends Data.TaggedError('NoArrow')<{
  readonly machine: string;
  readonly state: string;
  readonly command: string;
}> {}

/** What is asked of one instance, by whom, and the words its history shall keep. */
export interface Command {
  readonly event: string;
  readonly by: string;
  readonly text: string;
  /** What was asked with it, for the actions that write it. */
  readonly asked?: Asked;
  /** Whether what is stored shows that this was done before: then nothing is written. */
  readonly isDone?: (stored: KubeObject) => boolean;
}

/** What became of a command: it moved the object, or had done so before. */
export interface Moved {
  readonly object: KubeObject;
  readonly is: 'moved' | 'done before';
}

/** One machine of one object. */
export interface Instance {
  readonly controller: Controller;
  readonly lifecycle: AnyLifecycle;
  readonly name: string;
}

const tries = 5;
/** Whoever asked has given up by then, and may have asked for something else: an old wish is not carried out late. */
const patienceMs = 10_000;

/**
 * One command on one instance: load, step, save over the version that was read. It writes the state and leaves every
 * effect to the pass. Somebody else's write in between makes it read and decide anew.
 */
export const move = Effect.fnUntraced(function* (
  { controller, lifecycle, name }: Instance,
  command: Command,
  around: Around,
): Effect.fn.Return<Moved, NoArrow | WriteError, Cluster> {
  const cluster = yield* Cluster;
  const askedAt = yield* monotonicMs;
  const attempt = Effect.gen(function* () {
    const stored = yield* cluster.get(controller.resource, { name });
    if (command.isDone?.(stored)) return { object: stored, is: 'done before' } as const;
    const moment = { now: yield* Clock.currentTimeMillis, resetFrom: movedFrom(lifecycle, stored), failure: null };
    const facts = lifecycle.observe(stored, around.seen, moment);
    const observed = { facts, seen: around.seen };
    const working = moment.resetFrom === null ? stored : takeUp(lifecycle, stored, moment.resetFrom, observed).object;
    const state = lifecycle.read(working);
    const taken = legalStep(lifecycle, state, command.event);
    if (taken === null) return yield* new NoArrow({ machine: lifecycle.name, state, command: command.event });
    const moved = apply(lifecycle, working, taken, { ...command, ...observed });
    return { object: yield* record(controller.resource, stored, moved, around), is: 'moved' } as const;
  });
  const again = ({ _tag }: { readonly _tag: string }) =>
    Effect.map(monotonicMs, (now) => _tag === 'Conflict' && now < askedAt + patienceMs);
  return yield* attempt.pipe(Effect.retry({ times: tries - 1, while: again }));
});

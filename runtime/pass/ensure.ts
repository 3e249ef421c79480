import { Effect } from 'effect';
import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import type { PassContext } from '../contract/context.ts';
import type { Controller } from '../contract/controller.ts';
import type { AnyLifecycle } from '../contract/lifecycle.ts';
import type { Outside } from '../services/outside.ts';
import { machinesOn } from '../step/machinesOn.ts';
import { type PaceMemory, rest, restOf } from './pace.ts';
import { type Backoff, pauseAfter, soonest } from '../services/pause.ts';
import { isOver } from '../step/standing.ts';
import { ensuresOf } from '../step/machine.ts';
import { absent } from '../step/step.ts';
import { errorMessage } from '../../rules/errorMessage.ts';
import { failingAfter } from '../../rules/ensure/failing.ts';
import { type Ensure, type Ensured, type EnsureError, type EnsureMemory, releasing } from '../contract/ensure.ts';
import { isDeleting } from '../../rules/deleting.ts';

/** The moves of this pass, the memory of earlier passes, and the shared context. */
interface EnsureOptions {
  readonly moves: readonly HistoryEntry[];
  readonly memory: { readonly ensures: EnsureMemory; readonly paces: PaceMemory };
  readonly context: Pick<PassContext, 'reader' | 'move' | 'add' | 'ensureFailed'>;
}

/** An ensure that applies now, and whether this pass led to it from another state. */
interface Wanted {
  readonly name: string;
  readonly ensure: Ensure<KubeObject>;
  readonly entered: boolean;
}

const hasEnsures = ({ ensures }: AnyLifecycle): boolean => Object.keys(ensures).length > 0;

/**
 * Collects the ensures of an object's states and its kind, each name once; for an object being deleted, only those of
 * its states.
 */
function wantedNow(
  controller: Controller,
  object: KubeObject,
  moves: readonly HistoryEntry[],
): ReadonlyMap<string, Wanted> {
  const entered = moves.filter(({ from, to }) => from !== to);
  const found = new Map<string, Wanted>();
  for (const lifecycle of machinesOn(controller, object).filter((one) => hasEnsures(one) && !isOver(one, object)))
    for (const name of ensuresOf(lifecycle.machine, lifecycle.read(object))) {
      const ensure = lifecycle.ensures[name];
      const { name: machine, item } = lifecycle;
      // A state entered from absence begins a new life, which has no leftovers to check for.
      const isEntered = entered.some(
        (move) => move.machine === machine && move.item === item?.key && move.from !== absent,
      );
      if (ensure) found.set(item ? `${name} ${item.key}` : name, { name, ensure, entered: isEntered });
    }
  if (!isDeleting(object))
    for (const [name, ensure] of Object.entries(controller.ensures))
      found.set(name, { name, ensure, entered: entered.length > 0 });
  return found;
}

/**
 * Runs the ensures of the reached states. Never writes the object: the next pass, which it requests, sees the effect.
 * Returns in how many ms to requeue, null for never.
 */
export const ensureAll = Effect.fnUntraced(function* (
  controller: Controller,
  object: KubeObject,
  { moves, memory: { ensures, paces }, context }: EnsureOptions,
): Effect.fn.Return<number | null, EnsureError, Outside> {
  const { reader, move, add } = context;
  const wanted = wantedNow(controller, object, moves);
  forgetOthers(ensures, wanted);
  let requeueAfterMs: number | null = null;
  for (const [key, { name, ensure, entered }] of wanted) {
    const restMs = yield* restOf(key, ensure, { object, paces, reader });
    if (restMs !== 0) {
      requeueAfterMs = soonest(requeueAfterMs, restMs);
      continue;
    }
    const ran = ensure.run({ object, reader, entered, move, add });
    const ensured = yield* counted(ran, {
      key,
      name,
      controller,
      object,
      ensures,
      context,
      retry: ensure.schedule,
    });
    requeueAfterMs = soonest(requeueAfterMs, nextPassAfterMs(ensured));
    if (ensured.is === 'waits') yield* rest(key, ensure, { paces, afterMs: ensured.afterMs });
  }
  return requeueAfterMs;
});

/** Drops failures of ensures that no state demands, so that they restart at zero. */
function forgetOthers(ensures: EnsureMemory, wanted: ReadonlyMap<string, Wanted>): void {
  for (const key of ensures.keys()) if (key !== releasing && !wanted.has(key)) ensures.delete(key);
}

interface Counting {
  /** The name of the ensure, with the key of a list entry if it has one. */
  readonly key: string;
  readonly name: string;
  readonly controller: Pick<Controller, 'resource'>;
  readonly object: KubeObject;
  readonly ensures: EnsureMemory;
  readonly context: Pick<PassContext, 'ensureFailed'>;
  readonly retry?: Backoff | undefined;
}

/** Counts the failures of an ensure; with `retry` a failure waits, without it the pass fails. */
export const counted = (
  ran: Effect.Effect<Ensured, EnsureError, Outside>,
  counting: Counting,
): Effect.Effect<Ensured, EnsureError, Outside> =>
  ran.pipe(
    Effect.tap(() => Effect.sync(() => counting.ensures.delete(counting.key))),
    Effect.catch((failure) => {
      const { retry } = counting;
      // A conflict with another writer is no failure; the next pass reads what was written.
      if (retry === undefined && failure._tag === 'Conflict') return Effect.fail(failure);
      return Effect.flatMap(failedAgain(failure, counting), (count) =>
        retry === undefined
          ? Effect.fail(failure)
          : Effect.succeed<Ensured>({ is: 'waits', afterMs: pauseAfter(count, retry) }),
      );
    }),
  );

/** Counts one more consecutive failure and returns the count; the third one is logged. */
export const failedAgain = Effect.fnUntraced(function* (
  failure: EnsureError,
  { key, name: ensure, controller, object, ensures, context }: Counting,
): Effect.fn.Return<number> {
  const count = (ensures.get(key)?.count ?? 0) + 1;
  const error = errorMessage(failure);
  ensures.set(key, { ensure, count, why: error });
  context.ensureFailed(ensure);
  if (count === failingAfter)
    yield* Effect.annotateLogs(Effect.logWarning('ensure failed three times in a row'), {
      kind: controller.resource.kind,
      name: object.metadata.name,
      ensure,
      error,
    });
  return count;
});

/** In how many ms an ensure requests the next pass, null for never; after an effect, at once. */
export function nextPassAfterMs(ensured: Ensured): number | null {
  if (ensured.is === 'waits') return ensured.afterMs;
  return ensured.is === 'done' ? 0 : null;
}

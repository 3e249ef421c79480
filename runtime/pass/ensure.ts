import { Effect } from 'effect';
import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import type { PassContext } from './context.ts';
import type { Controller, Ensure, Ensured, EnsureError } from '../lifecycle.ts';
import type { Outside } from '../outside.ts';
import { machinesOn } from './machinesOn.ts';
import { type PaceMemory, rest, restOf } from './pace.ts';
import { type Backoff, pauseAfter, soonest } from '../services/pause.ts';
import { isDeleting, isOver } from '../step/standing.ts';
import { ensuresOf } from '../step/machine.ts';
import { why } from '../services/why.ts';

/** For each ensure with a retry of its own: how often it failed in a row, and why the last time. */
export type EnsureMemory = Map<string, { readonly count: number; readonly why: string }>;

/** What ensuring reads besides the object: the moves of this pass, what is kept of earlier ones, what passes share. */
interface Given {
  readonly moves: readonly HistoryEntry[];
  readonly memory: { readonly ensures: EnsureMemory; readonly paces: PaceMemory };
  readonly context: Pick<PassContext, 'reader' | 'move' | 'add'>;
}

/** An ensure that applies now, and whether this pass is the first in which it does. */
interface Wanted {
  readonly ensure: Ensure<KubeObject>;
  readonly entered: boolean;
}

/**
 * The ensures that apply to an object now: those of its states, then those of its kind; each name once. For an object
 * that is being deleted, only those of the states on the way to its end.
 */
function wantedNow(
  controller: Controller,
  object: KubeObject,
  moves: readonly HistoryEntry[],
): ReadonlyMap<string, Wanted> {
  const entered = moves.filter(({ from, to }) => from !== to);
  const found = new Map<string, Wanted>();
  for (const lifecycle of machinesOn(controller, object).filter((one) => !isOver(one, object)))
    for (const name of ensuresOf(lifecycle.machine, lifecycle.read(object))) {
      const ensure = lifecycle.ensures[name];
      const { name: machine, item } = lifecycle;
      const isEntered = entered.some((move) => move.machine === machine && move.item === item?.key);
      if (ensure) found.set(item ? `${name} ${item.key}` : name, { ensure, entered: isEntered });
    }
  if (!isDeleting(object))
    for (const [name, ensure] of Object.entries(controller.ensures))
      found.set(name, { ensure, entered: entered.length > 0 });
  return found;
}

/**
 * Fulfils what the reached states demand. Never writes the object: the next pass, which it asks for, sees what it did.
 * Returns in how many ms to requeue, null for never.
 */
export const ensureAll = Effect.fnUntraced(function* (
  controller: Controller,
  object: KubeObject,
  { moves, memory: { ensures, paces }, context: { reader, move, add } }: Given,
): Effect.fn.Return<number | null, EnsureError, Outside> {
  let requeueAfterMs: number | null = null;
  for (const [name, { ensure, entered }] of wantedNow(controller, object, moves)) {
    const restMs = yield* restOf(name, ensure, { object, paces, reader });
    if (restMs > 0) {
      requeueAfterMs = soonest(requeueAfterMs, restMs);
      continue;
    }
    const { retry } = ensure;
    const given = { object, reader, entered, move, add };
    const ensured: Ensured = yield* retry
      ? ensure.run(given).pipe(
          Effect.tap(() => Effect.sync(() => ensures.delete(name))),
          Effect.catch((failure) => Effect.sync(() => failedAgain(name, failure, { retry, ensures }))),
        )
      : ensure.run(given);
    requeueAfterMs = soonest(requeueAfterMs, nextPassAfterMs(ensured));
    if (ensured.is === 'waits') yield* rest(name, ensure, { paces, afterMs: ensured.afterMs });
  }
  return requeueAfterMs;
});

/** Remembers one more failure of an ensure that has a retry of its own: it waits, longer each time. */
export function failedAgain(
  name: string,
  failure: EnsureError,
  { retry, ensures }: { readonly retry: Backoff; readonly ensures: EnsureMemory },
): Ensured {
  const count = (ensures.get(name)?.count ?? 0) + 1;
  ensures.set(name, { count, why: why(failure) });
  return { is: 'waits', afterMs: pauseAfter(count, retry) };
}

/** In how many ms an ensure asks for the next pass, null for never. What it has done is seen by a pass at once. */
export function nextPassAfterMs(ensured: Ensured): number | null {
  if (ensured.is === 'waits') return ensured.afterMs;
  return ensured.is === 'done' ? 0 : null;
}

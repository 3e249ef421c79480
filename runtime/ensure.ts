import { Effect } from 'effect';
import type { HistoryEntry, KubeObject } from '../crds/kind.ts';
import type { Controller, Ensure, Ensured, Outside } from './lifecycle.ts';
import type { Seen } from './seen.ts';
import type { WriteError } from './services/cluster.ts';
import type { StoreFailed } from './services/objectStore.ts';
import { ensuresOf } from './step.ts';

/** Failures in a row of each ensure that has a retry of its own. */
export type EnsureMemory = Map<string, number>;

/** The ensures that hold for an object now: those of its states, then those of its kind; each name once. */
function wanted(controller: Controller, object: KubeObject): ReadonlyMap<string, Ensure<KubeObject>> {
  const found = new Map<string, Ensure<KubeObject>>();
  for (const lifecycle of controller.lifecycles)
    for (const name of ensuresOf(lifecycle.machine, lifecycle.read(object))) {
      const ensure = lifecycle.ensures[name];
      if (ensure) found.set(name, ensure);
    }
  for (const [name, ensure] of Object.entries(controller.ensures)) found.set(name, ensure);
  return found;
}

const doubling = (firstMs: number, mostMs: number, failures: number) => Math.min(mostMs, firstMs * 2 ** (failures - 1));

/**
 * Brings about what the reached states demand. Never writes the object: what it did is seen by the next pass, which it
 * asks for. Returns in how many ms to look again, null for never.
 */
export const ensureAll = Effect.fnUntraced(function* (
  controller: Controller,
  object: KubeObject,
  moves: readonly HistoryEntry[],
  memory: EnsureMemory,
  seen: Seen,
): Effect.fn.Return<number | null, WriteError | StoreFailed, Outside> {
  const entered = moves.some(({ from, to }) => from !== to);
  let lookInMs: number | null = null;
  const lookAgain = (ms: number) => {
    lookInMs = lookInMs === null ? ms : Math.min(lookInMs, ms);
  };
  for (const [name, ensure] of wanted(controller, object)) {
    const { retry } = ensure;
    const ensured: Ensured = yield* retry
      ? ensure.run({ object, seen, entered }).pipe(
          Effect.tap(() => Effect.sync(() => memory.delete(name))),
          Effect.catch(() =>
            Effect.sync((): Ensured => {
              const failures = (memory.get(name) ?? 0) + 1;
              memory.set(name, failures);
              return { is: 'waits', afterMs: doubling(retry.firstMs, retry.mostMs, failures) };
            }),
          ),
        )
      : ensure.run({ object, seen, entered });
    if (ensured.is === 'done') lookAgain(0);
    if (ensured.is === 'waits') lookAgain(ensured.afterMs);
  }
  return lookInMs;
});

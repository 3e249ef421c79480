import { Effect } from 'effect';
import type { Replacement } from './bug.ts';

type Callable = (...given: readonly never[]) => unknown;

const isCallable = (value: unknown): value is Callable => typeof value === 'function';

/** The wrapped exports of the product, each with the original. */
const originals = new Map<unknown, unknown>();
const planted = new Map<unknown, unknown>();
let reached = false;

function currentOf(wrapped: unknown, original: unknown): unknown {
  if (!planted.has(wrapped)) return original;
  reached = true;
  return planted.get(wrapped);
}

const call = (wrapped: unknown, original: Callable, self: unknown, given: readonly unknown[]): unknown => {
  const current = currentOf(wrapped, original);
  return Reflect.apply(isCallable(current) ? current : original, self, given);
};

/** Wraps an exported function or effect, so that each use runs what is planted at that time; other values stay. */
export function replaceable(original: unknown): unknown {
  if (isCallable(original)) {
    const wrapped: unknown = new Proxy(original, {
      apply: (_, self, given: readonly unknown[]) => call(wrapped, original, self, given),
    });
    originals.set(wrapped, original);
    return wrapped;
  }
  if (!Effect.isEffect(original)) return original;
  const wrapped: unknown = Effect.suspend(() => {
    const current = currentOf(wrapped, original);
    return Effect.isEffect(current) ? current : original;
  });
  originals.set(wrapped, original);
  return wrapped;
}

/** Calls an exported function declaration, or what is planted in its place. */
export const callDeclared = (wrapped: Callable, original: Callable, given: readonly unknown[]): unknown =>
  call(wrapped, original, undefined, given);

/** Registers the wrapper of an exported function declaration. */
export const declared = (wrapped: Callable, original: Callable): void => void originals.set(wrapped, original);

/** Plants a replacement, with its other one, instead of the last one. It is made anew, so that it remembers nothing of earlier plans. */
export function plant(replacement: Replacement): void {
  planted.clear();
  reached = false;
  for (let one: Replacement | undefined = replacement; one; one = one.also) {
    const original = originals.get(one.of);
    if (original === undefined) throw new Error(`${one.name} is not an export of the product that can be replaced`);
    planted.set(one.of, one.by(original as never));
  }
}

/** Whether the replacement was used since it was planted. */
export const wasReached = (): boolean => reached;

/** Takes from the value of the first key, and moves the key to the end as long as something is left of its value. */
export function rotate<V>(turns: Map<string, V>, take: (first: V) => boolean): void {
  const [first] = turns;
  if (first === undefined) return;
  const [key, value] = first;
  turns.delete(key);
  if (take(value)) turns.set(key, value);
}

/** A fair queue: callers take turns, however many entries each has added, and none has more than its share waiting. */
export interface CallerTurns<T> {
  /** False where the caller has as many waiting as it may. */
  readonly add: (caller: string, one: T) => boolean;
  readonly next: () => T | undefined;
}

export function createTurns<T>(mostEach: number): CallerTurns<T> {
  const callers = new Map<string, T[]>();
  return {
    add(caller, one) {
      const waiting = callers.get(caller) ?? [];
      if (waiting.length >= mostEach) return false;
      waiting.push(one);
      callers.set(caller, waiting);
      return true;
    },
    next() {
      let taken: T | undefined;
      rotate(callers, (waiting) => {
        taken = waiting.shift();
        return waiting.length > 0;
      });
      return taken;
    },
  };
}

import { effect, type Signal, signal } from '@preact/signals';

/** One of some values that this browser keeps; where it refuses to, the choice lasts as long as the page. */
export function persisted<T extends string>(key: string, values: readonly T[], usual: T): Signal<T> {
  const stored = signal(values.find((value) => value === read(key)) ?? usual);
  effect(() => write(key, stored.value));
  return stored;
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    return;
  }
}

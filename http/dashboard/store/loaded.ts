import { useSignal } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import type { StreamEvent } from '../../api.ts';
import { type Answer, mayPass, read } from '../api.ts';
import { link, listen, missed } from './live.ts';

/** Data from the API. It stays visible while it is reloaded, and after a failed reload with a notice. */
export interface Loaded<T> {
  readonly value: T | null;
  readonly failed: Exclude<Answer<T>, { readonly is: 'ok' }> | null;
  /** When the value was read, by this browser's clock; null while there is none. */
  readonly readAt: number | null;
}

const againMs = 400;
const retryMs = 4000;

const mostRemembered = 40;
interface Remembered {
  readonly value: unknown;
  readonly readAt: number;
}

const remembered = new Map<string, Remembered>();

/** The last data of a path, shown while it is reloaded. */
function recall<T>(path: string | null): Pick<Loaded<T>, 'value' | 'readAt'> {
  const known = path === null ? undefined : remembered.get(path);
  return { value: (known?.value ?? null) as T | null, readAt: known?.readAt ?? null };
}

function remember(path: string, value: unknown): void {
  remembered.delete(path);
  remembered.set(path, { value, readAt: Date.now() });
  const [oldest] = remembered.keys();
  if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
}

/** Reads a path, if there is one: now, after every event that concerns it, and after missed events. */
export function useLoaded<T>(
  path: string | null,
  concerns: (event: StreamEvent) => boolean,
): Loaded<T> & { readonly reload: () => void } {
  const loaded = useSignal<Loaded<T> & { readonly path: string | null }>({ path, ...recall<T>(path), failed: null });
  const wanted = useRef(concerns);
  wanted.current = concerns;
  const reload = useRef<() => void>(() => {});

  useEffect(() => {
    if (path === null) return undefined;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | null = null;
    let reading = false;
    let again = false;
    let readAt = 0;
    const load = async () => {
      timer = null;
      reading = true;
      again = false;
      const answer = await read<T>(path, abort.signal);
      if (abort.signal.aborted) return;
      reading = false;
      readAt = Date.now();
      const before = loaded.peek().path === path ? loaded.peek() : recall<T>(path);
      if (answer.is === 'ok') remember(path, answer.value);
      loaded.value =
        answer.is === 'ok'
          ? { path, value: answer.value, readAt, failed: null }
          : { path, value: before.value, readAt: before.readAt, failed: answer };
      if (again) later(againMs);
      else if (mayPass(answer)) later(retryMs);
    };
    const later = (ms: number) => {
      timer ??= setTimeout(() => void load(), ms);
    };
    /** Immediately, but not twice within a moment. */
    const soon = () => {
      if (reading) again = true;
      else later(Math.max(0, readAt + againMs - Date.now()));
    };
    reload.current = () => {
      if (reading) again = true;
      else later(0);
    };
    void load();
    const stop = [
      listen((events) => events.some((event) => wanted.current(event)) && soon()),
      onChange(missed, reload.current),
      onChange(link, () => link.peek().is === 'live' && loaded.peek().failed !== null && soon()),
    ];
    return () => {
      abort.abort();
      if (timer) clearTimeout(timer);
      stop.forEach((end) => end());
    };
  }, [path]);

  const current: Loaded<T> = loaded.value.path === path ? loaded.value : { ...recall<T>(path), failed: null };
  return { ...current, reload: useCallback(() => reload.current(), []) };
}

/** Calls back on each change, but not with the current value. */
function onChange(value: { subscribe: (listener: () => void) => () => void }, then: () => void): () => void {
  let first = true;
  return value.subscribe(() => {
    if (first) first = false;
    else then();
  });
}

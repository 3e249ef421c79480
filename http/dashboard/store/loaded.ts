import { useSignal } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import type { StreamEvent } from '../../api.ts';
import { type Answer, mayPass, read } from '../api.ts';
import { link, listen, missed } from './live.ts';

/** Something read from the API. What was read stays shown while it is read again, and says so when that failed. */
export interface Loaded<T> {
  readonly value: T | null;
  readonly failed: Exclude<Answer<T>, { readonly is: 'ok' }> | null;
}

const againMs = 400;
const retryMs = 4000;

const mostRemembered = 40;
const remembered = new Map<string, unknown>();

/** What a path last said, shown while it is read again. */
const recall = (path: string): unknown => remembered.get(path) ?? null;

function remember(path: string, value: unknown): void {
  remembered.delete(path);
  remembered.set(path, value);
  const [oldest] = remembered.keys();
  if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
}

/** Reads a path now, after every event that concerns it, and after anything was missed. */
export function useLoaded<T>(
  path: string,
  concerns: (event: StreamEvent) => boolean,
): Loaded<T> & { readonly reload: () => void } {
  const loaded = useSignal<Loaded<T> & { readonly path: string }>({
    path,
    value: recall(path) as T | null,
    failed: null,
  });
  const wanted = useRef(concerns);
  wanted.current = concerns;
  const reload = useRef<() => void>(() => {});

  useEffect(() => {
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
      const before = loaded.peek().path === path ? loaded.peek().value : (recall(path) as T | null);
      if (answer.is === 'ok') remember(path, answer.value);
      loaded.value =
        answer.is === 'ok' ? { path, value: answer.value, failed: null } : { path, value: before, failed: answer };
      if (again) later(againMs);
      else if (mayPass(answer)) later(retryMs);
    };
    const later = (ms: number) => {
      timer ??= setTimeout(() => void load(), ms);
    };
    /** At once, but not twice within a moment. */
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

  const current: Loaded<T> =
    loaded.value.path === path ? loaded.value : { value: recall(path) as T | null, failed: null };
  return { ...current, reload: useCallback(() => reload.current(), []) };
}

/** Calls back on a change, not at once. */
function onChange(value: { subscribe: (listener: () => void) => () => void }, then: () => void): () => void {
  let first = true;
  return value.subscribe(() => {
    if (first) first = false;
    else then();
  });
}

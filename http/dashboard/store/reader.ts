import { effect, type ReadonlySignal, signal } from '@preact/signals';
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

/** Whether events make it necessary to read all of the data again. */
export type Concerns = (events: readonly StreamEvent[]) => boolean;

/** One path of the API, read once for all who show it. */
export interface Reader<T> {
  readonly loaded: ReadonlySignal<Loaded<T>>;
  readonly reload: () => void;
  /** Changes what is shown without reading all of it. */
  readonly amend: (change: (value: T) => T) => void;
  /** Keeps it current until the returned function is called. */
  readonly follow: (concerns: Concerns) => () => void;
}

const againMs = 150;
const retryMs = 3000;
const mostRemembered = 40;

/** A reader, with what the others of its kind need to know. */
interface Kept {
  readonly reader: Reader<unknown>;
  readonly isFollowed: () => boolean;
  readonly keptBy: (keeper: Concerns) => void;
}

const readers = new Map<string, Kept>();

/**
 * The reader of a path. The last paths that were shown keep their data, so that going back shows it at once. `keep`
 * makes what looks at events once for everybody, where reading all of the data again is too much.
 */
export function readerOf<T>(path: string, keep?: (reader: Reader<T>) => Concerns): Reader<T> {
  const kept = readers.get(path) ?? makeReader(path);
  if (keep && !readers.has(path)) kept.keptBy(keep(kept.reader as Reader<T>));
  readers.delete(path);
  readers.set(path, kept);
  const idle = [...readers].filter(([, one]) => one !== kept && !one.isFollowed());
  for (const [old] of idle.slice(0, Math.max(0, idle.length - mostRemembered))) readers.delete(old);
  return kept.reader as Reader<T>;
}

function makeReader(path: string): Kept {
  const loaded = signal<Loaded<unknown>>({ value: null, failed: null, readAt: null });
  const followers = new Set<{ readonly concerns: Concerns }>();
  let keeper: Concerns = () => false;
  let abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let reading = false;
  let again = false;
  let readAt = 0;

  const load = async (): Promise<void> => {
    timer = null;
    reading = true;
    again = false;
    const { signal: mine } = abort;
    const answer = await read<unknown>(path, mine);
    if (mine.aborted) return;
    reading = false;
    readAt = Date.now();
    loaded.value =
      answer.is === 'ok' ? { value: answer.value, readAt, failed: null } : { ...loaded.peek(), failed: answer };
    if (again) later(againMs);
    else if (mayPass(answer)) later(retryMs);
  };
  const later = (ms: number): void => {
    timer ??= setTimeout(() => void load(), ms);
  };
  /** Whoever asks now wants what is true now: a pending wait is cut short. */
  const reload = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    if (reading) again = true;
    else if (followers.size > 0) void load();
  };
  /** Immediately, but not twice within a moment. */
  const soon = (): void => {
    if (reading) again = true;
    else later(Math.max(0, readAt + againMs - Date.now()));
  };
  const start = (): (() => void) => {
    abort = new AbortController();
    reload();
    const stops = [
      listen((events) => {
        if (keeper(events) || [...followers].some(({ concerns }) => concerns(events))) soon();
      }),
      onChange(missed, reload),
      onChange(link, () => link.peek().is === 'live' && loaded.peek().failed !== null && soon()),
    ];
    return () => {
      abort.abort();
      if (timer) clearTimeout(timer);
      timer = null;
      reading = false;
      stops.forEach((stop) => stop());
    };
  };

  let stop: (() => void) | null = null;
  const reader: Reader<unknown> = {
    loaded,
    reload,
    amend: (change) => {
      const { value } = loaded.peek();
      if (value !== null) loaded.value = { value: change(value), readAt: Date.now(), failed: null };
      if (reading) again = true;
    },
    follow: (concerns) => {
      const follower = { concerns };
      followers.add(follower);
      stop ??= start();
      return () => {
        followers.delete(follower);
        if (followers.size > 0) return;
        stop?.();
        stop = null;
      };
    },
  };
  return { reader, isFollowed: () => followers.size > 0, keptBy: (given) => (keeper = given) };
}

/** Calls back on each change, but not with the current value. */
function onChange(value: ReadonlySignal<unknown>, then: () => void): () => void {
  let first = true;
  return effect(() => {
    void value.value;
    if (first) first = false;
    else queueMicrotask(then);
  });
}

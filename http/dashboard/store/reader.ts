import { effect, type ReadonlySignal, signal } from '@preact/signals';
import type { StreamEvent } from '../../api.ts';
import { type ApiResult, isRetryable, readPath } from '../api.ts';
import type { TypedPath } from '../model/routeAnswers.ts';
import { link, listen, missed } from './live.ts';

/** Data from the API. It stays visible while it is reloaded, and after a failed reload with a notice. */
export interface Loaded<T> {
  readonly value: T | null;
  readonly failed: Exclude<ApiResult<T>, { readonly is: 'ok' }> | null;
  /** When the value was read, by this browser's clock; null while there is none. */
  readonly readAt: number | null;
}

/** Whether events make it necessary to read all of the data again. */
export type Concerns = (events: readonly StreamEvent[]) => boolean;

/** What is known when a path is read. */
export interface ReadingInput<T> {
  readonly signal: AbortSignal;
  /** What is shown now. */
  readonly shown: T | null;
  /** Whether what is shown is true and only more of it is wanted. */
  readonly isMore: boolean;
  /** The number of rows that somebody wants. */
  readonly wanted: () => number;
  /** Whether what is read has to be read again. */
  readonly isOld: () => boolean;
  /** Shows what is read so far. */
  readonly show: (value: T) => void;
}

/** Reads a path, at once or page by page. */
export type Reading<T> = (given: ReadingInput<T>) => Promise<ApiResult<T>>;

/** How a path is read and kept current. */
export interface How<T> {
  readonly reading: Reading<T>;
  readonly isPaged?: boolean;
  /** Looks at events once for everybody, where reading all of the data again is too much. */
  readonly keep?: (reader: Reader<T>) => Concerns;
  /** The least time between two reads that this asks for. */
  readonly paceMs?: (shown: T | null) => number;
}

/** Somebody who shows a path. */
export interface Follower {
  readonly concerns: Concerns;
  /** The number of rows that it wants of a list; all where it is left out. */
  readonly wanted?: () => number;
  /** The least time between two reads for the sake of events. */
  readonly paceMs?: number;
}

/** One path of the API, read once for all who show it. */
export interface Reader<T> {
  readonly loaded: ReadonlySignal<Loaded<T>>;
  readonly reload: () => void;
  /** Reads more of a list where somebody wants more than is read. */
  readonly readOn: () => void;
  /** Changes what is shown without reading all of it; what arrives meanwhile is changed too. */
  readonly amend: (change: (value: T) => T) => void;
  /** Keeps it current until the returned function is called. */
  readonly follow: (follower: Follower) => () => void;
}

const rereadMs = 150;
const retryMs = 3000;
const maxRemembered = 40;

/** A reader, with what the others of its kind need to know. */
interface ReaderEntry {
  readonly reader: Reader<unknown>;
  readonly isFollowed: () => boolean;
}

const readers = new Map<string, ReaderEntry>();

/** Reads a path with one request. */
export const atOnce =
  <T>(path: TypedPath<T>): Reading<T> =>
  ({ signal }) =>
    readPath(path, signal);

/**
 * The reader of a path; a list that is read in pages is another than the same read at once. The last paths that were
 * shown keep their data, so that going back shows it at once.
 */
export function readerOf<T>(path: TypedPath<T>, how: How<T> = { reading: atOnce(path) }): Reader<T> {
  const key = `${how.isPaged === true ? 'pages of ' : ''}${path}`;
  const kept = readers.get(key) ?? makeReader(how as How<unknown>);
  readers.delete(key);
  readers.set(key, kept);
  const idle = [...readers].filter(([, one]) => one !== kept && !one.isFollowed());
  for (const [old] of idle.slice(0, Math.max(0, idle.length - maxRemembered))) readers.delete(old);
  return kept.reader as Reader<T>;
}

function makeReader({ reading, keep, paceMs: paceOf }: How<unknown>): ReaderEntry {
  const loaded = signal<Loaded<unknown>>({ value: null, failed: null, readAt: null });
  const followers = new Set<Follower>();
  let abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isReading = false;
  let again = false;
  /** Whether what is shown has to be read from its beginning. */
  let isOld = true;
  let readAt = 0;
  /** Changes since the read began: what it brings may be older. */
  let changes: ((value: unknown) => unknown)[] = [];

  const show = (value: unknown): void => {
    const changed = changes.reduce((before, change) => change(before), value);
    isOld = false;
    const { value: before, failed } = loaded.peek();
    if (changed !== before || failed !== null) loaded.value = { value: changed, readAt: Date.now(), failed: null };
  };
  const load = async (): Promise<void> => {
    timer = null;
    isReading = true;
    again = false;
    changes = [];
    const { signal: mine } = abort;
    const answer = await reading({
      signal: mine,
      shown: loaded.peek().value,
      isMore: !isOld,
      wanted: () => Math.max(...[...followers].map(({ wanted }) => wanted?.() ?? Infinity)),
      isOld: () => again,
      show: (value) => !mine.aborted && show(value),
    });
    if (mine.aborted) return;
    isReading = false;
    readAt = Date.now();
    if (answer.is === 'ok') show(answer.value);
    else loaded.value = { ...loaded.peek(), failed: answer };
    if (again) soon(rereadMs);
    else if (isRetryable(answer)) later(retryMs);
  };
  const later = (ms: number): void => {
    timer ??= setTimeout(() => void load(), ms);
  };
  const now = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    void load();
  };
  /** Whoever asks now wants what is true now: a pending wait is cut short. */
  const reload = (): void => {
    isOld = true;
    if (isReading) again = true;
    else if (followers.size > 0) now();
  };
  const readOn = (): void => {
    if (!isReading && followers.size > 0) now();
  };
  /** Immediately, but not twice within a moment. */
  const soon = (paceMs: number): void => {
    isOld = true;
    if (isReading) again = true;
    else later(Math.max(0, readAt + paceMs - Date.now()));
  };
  const hear: Parameters<typeof listen>[0] = (events) => {
    if (keeper(events)) soon(Math.max(rereadMs, paceOf?.(loaded.peek().value) ?? 0));
    for (const { concerns, paceMs = rereadMs } of followers) if (concerns(events)) soon(paceMs);
  };
  const start = (): (() => void) => {
    abort = new AbortController();
    reload();
    const stops = [
      listen(hear),
      onChange(missed, reload),
      onChange(link, () => link.peek().is === 'live' && loaded.peek().failed !== null && soon(rereadMs)),
    ];
    return () => {
      abort.abort();
      if (timer) clearTimeout(timer);
      timer = null;
      isReading = false;
      stops.forEach((stop) => stop());
    };
  };

  let stop: (() => void) | null = null;
  const reader: Reader<unknown> = {
    loaded,
    reload,
    readOn,
    amend: (change) => {
      if (isReading) changes.push(change);
      const { value } = loaded.peek();
      const changed = value === null ? null : change(value);
      if (changed !== value) loaded.value = { value: changed, readAt: Date.now(), failed: null };
    },
    follow: (given) => {
      const follower = { ...given };
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
  const keeper = keep?.(reader) ?? (() => false);
  return { reader, isFollowed: () => followers.size > 0 };
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

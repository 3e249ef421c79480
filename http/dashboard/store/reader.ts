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
interface Follower {
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

const readers = new Map<string, PathReader>();

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
  const reader = readers.get(key) ?? new PathReader(how as How<unknown>);
  readers.delete(key);
  readers.set(key, reader);
  const idle = [...readers].filter(([, one]) => one !== reader && !one.isFollowed);
  for (const [old] of idle.slice(0, Math.max(0, idle.length - maxRemembered))) readers.delete(old);
  return reader as unknown as Reader<T>;
}

const nothingRead: Loaded<unknown> = { value: null, failed: null, readAt: null };

/** The reader of one path, of which only the path's type is not known. */
class PathReader implements Reader<unknown> {
  readonly loaded = signal(nothingRead);
  readonly #how: How<unknown>;
  readonly #keeper: Concerns;
  readonly #followers = new Set<Follower>();
  #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isReading = false;
  /** Whether it has to be read once more after the read that is under way. */
  #isAsked = false;
  /** Whether what is shown has to be read from its beginning. */
  #isOld = true;
  #readAt = 0;
  /** Changes since the read began: what it brings may be older. */
  #changes: ((value: unknown) => unknown)[] = [];
  #stop: (() => void) | null = null;

  constructor(how: How<unknown>) {
    this.#how = how;
    this.#keeper = how.keep?.(this) ?? (() => false);
  }

  get isFollowed(): boolean {
    return this.#followers.size > 0;
  }

  /** Whoever asks now wants what is true now: a pending wait is cut short. */
  readonly reload = (): void => {
    this.#isOld = true;
    if (this.#isReading) this.#isAsked = true;
    else if (this.isFollowed) this.#now();
  };

  readonly readOn = (): void => {
    if (!this.#isReading && this.isFollowed) this.#now();
  };

  readonly amend = (change: (value: unknown) => unknown): void => {
    if (this.#isReading) this.#changes.push(change);
    const { value } = this.loaded.peek();
    const changed = value === null ? null : change(value);
    if (changed !== value) this.loaded.value = { value: changed, readAt: Date.now(), failed: null };
  };

  readonly follow = (given: Follower): (() => void) => {
    // A follower of its own, so that the same one may follow twice.
    const follower = { ...given };
    this.#followers.add(follower);
    this.#stop ??= this.#start();
    return () => {
      this.#followers.delete(follower);
      if (this.isFollowed) return;
      this.#stop?.();
      this.#stop = null;
    };
  };

  #start(): () => void {
    this.#abort = new AbortController();
    this.reload();
    const isBack = () => link.peek().is === 'live' && this.loaded.peek().failed !== null;
    const stops = [
      listen((events) => this.#hear(events)),
      onChange(missed, this.reload),
      onChange(link, () => isBack() && this.#soon(rereadMs)),
    ];
    return () => {
      this.#abort.abort();
      this.#cancelTimer();
      this.#isReading = false;
      stops.forEach((stop) => stop());
    };
  }

  async #load(): Promise<void> {
    this.#timer = null;
    this.#isReading = true;
    this.#isAsked = false;
    this.#changes = [];
    const { signal: mine } = this.#abort;
    const answer = await this.#how.reading({
      signal: mine,
      shown: this.loaded.peek().value,
      isMore: !this.#isOld,
      wanted: () => Math.max(...[...this.#followers].map(({ wanted }) => wanted?.() ?? Infinity)),
      isOld: () => this.#isAsked,
      show: (value) => !mine.aborted && this.#show(value),
    });
    if (mine.aborted) return;
    this.#isReading = false;
    this.#readAt = Date.now();
    if (answer.is === 'ok') this.#show(answer.value);
    else this.loaded.value = { ...this.loaded.peek(), failed: answer };
    if (this.#isAsked) this.#soon(rereadMs);
    else if (isRetryable(answer)) this.#later(retryMs);
  }

  #show(value: unknown): void {
    const changed = this.#changes.reduce((before, change) => change(before), value);
    this.#isOld = false;
    const { value: before, failed } = this.loaded.peek();
    if (changed !== before || failed !== null) this.loaded.value = { value: changed, readAt: Date.now(), failed: null };
  }

  #hear(events: readonly StreamEvent[]): void {
    const paceMs = this.#how.paceMs?.(this.loaded.peek().value) ?? 0;
    if (this.#keeper(events)) this.#soon(Math.max(rereadMs, paceMs));
    for (const follower of this.#followers) if (follower.concerns(events)) this.#soon(follower.paceMs ?? rereadMs);
  }

  /** Immediately, but not twice within a moment. */
  #soon(paceMs: number): void {
    this.#isOld = true;
    if (this.#isReading) this.#isAsked = true;
    else this.#later(Math.max(0, this.#readAt + paceMs - Date.now()));
  }

  #later(ms: number): void {
    this.#timer ??= setTimeout(() => void this.#load(), ms);
  }

  #now(): void {
    this.#cancelTimer();
    void this.#load();
  }

  #cancelTimer(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }
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

import { type FSWatcher, watch } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type LogStart, type OnLine, type PodLogs, linesFrom, logText } from '../../api/podLogs.ts';
import { containerStatusOf } from '../../api/verbs/podContainer.ts';
import { at, numberAt, textAt } from '../../api/json.ts';
import type { Store, Stored } from '../../store.ts';
import { bucket, placeOf } from '../shapes.ts';
import type { Folders } from './folders.ts';
import { lineReader, linesFromOffset, opened, readLog, tailOffset } from './logFile.ts';

interface World {
  readonly store: Store;
  readonly folders: Pick<Folders, 'logOf'>;
}

/** So long after the last sign of a file it is looked at again: not every file system tells of each change. */
const lookMs = 1_000;

/** The logs of containers, from the files into which their runtime writes them. */
export function createLogs({ store, folders }: World): PodLogs & { readonly stop: () => void } {
  const following = new Set<() => void>();

  return {
    async read(pod, container, options) {
      const run = runOf(pod, container) - (options.previous === true && !waits(pod, container) ? 1 : 0);
      const lines = await readLog(folders.logOf(pod.metadata.uid, container, run), options);
      return logText(linesFrom(lines, options), options);
    },
    follow(pod, container, onLine, start = {}) {
      const run = runOf(pod, container);
      const stopped = new AbortController();
      const stop = () => stopped.abort();
      following.add(stop);
      const isOver = () => ended(store, pod, container, run);
      const path = folders.logOf(pod.metadata.uid, container, run);
      const woken = wakener(store, pod, path, stopped.signal);
      const over = followFile({ path, onLine, start, isOver, woken, gone: stopped.signal });
      return { stop, ended: over.finally(() => (following.delete(stop), stop())) };
    },
    stop: () => following.forEach((stop) => stop()),
  };
}

const runOf = (pod: Stored, container: string) => numberAt(containerStatusOf(pod, container), 'restartCount');
const waits = (pod: Stored, container: string) =>
  textAt(containerStatusOf(pod, container), 'state', 'waiting', 'reason') !== '';

/** Whether a run writes nothing more. */
function ended(store: Store, pod: Stored, container: string, run: number): boolean {
  const now = store.get(placeOf(bucket.pods, pod));
  if (now?.metadata.uid !== pod.metadata.uid) return true;
  const status = containerStatusOf(now, container);
  if (runOf(now, container) !== run) return true;
  return at(status, 'state', 'terminated') !== undefined || at(status, 'lastState', 'terminated') !== undefined
    ? at(status, 'state', 'running') === undefined
    : false;
}

/** Resolves when there may be something new: the file or the pod changed, or time went by. */
function wakener(store: Store, pod: Stored, path: string, gone: AbortSignal): () => Promise<void> {
  let wake: () => void = () => {};
  let isDue = false;
  const signal = () => {
    isDue = true;
    wake();
  };
  const watcher = watched(dirname(path), signal);
  const unsubscribe = store.onChange(({ object }) => {
    if (object.metadata.uid === pod.metadata.uid) signal();
  });
  gone.addEventListener('abort', () => {
    watcher?.close();
    unsubscribe();
    signal();
  });
  return async () => {
    if (!isDue)
      await new Promise<void>((done) => {
        const timer = setTimeout(done, lookMs);
        wake = () => {
          clearTimeout(timer);
          done();
        };
      });
    isDue = false;
  };
}

/** Watches a folder; one that is not there yet is looked at by and by. */
function watched(folder: string, changed: () => void): FSWatcher | null {
  try {
    return watch(folder, changed).on('error', () => {});
  } catch {
    return null;
  }
}

interface Following {
  readonly path: string;
  readonly onLine: OnLine;
  readonly start: LogStart;
  readonly isOver: () => boolean;
  readonly woken: () => Promise<void>;
  readonly gone: AbortSignal;
}

/** Where in which file a log was read to. */
interface Position {
  readonly inode: number | null;
  readonly offset: number;
  readonly read: ReturnType<typeof lineReader>;
}

async function followFile(following: Following): Promise<void> {
  const { path, isOver, woken, gone } = following;
  let position: Position = { inode: null, offset: 0, read: lineReader() };
  while (!gone.aborted) {
    // Asked before it is read: what was written until the end is read once more.
    const over = isOver();
    const file = await opened(path);
    // What is written into a file that comes later is all new.
    if (!file) position = { ...position, inode: position.inode ?? 0 };
    else
      try {
        position = await readOn(file, position, following);
      } finally {
        await file.close();
      }
    if (over) return;
    await woken();
  }
}

/** Reads on where it stopped; a file that was replaced by a fresh one is read from its beginning. */
async function readOn(file: FileHandle, before: Position, { onLine, start, gone }: Following): Promise<Position> {
  const { sinceMs = -Infinity, tailLines } = start;
  const { ino, size } = await file.stat();
  const isFirst = before.inode === null;
  const goesOn = ino === before.inode && size >= before.offset;
  const read = goesOn ? before.read : lineReader();
  let offset = goesOn ? before.offset : isFirst && tailLines !== undefined ? await tailOffset(file, tailLines) : 0;
  for await (const piece of linesFromOffset(file, offset, read)) {
    offset = piece.offset;
    for (const { text, at: time, isPart } of piece.lines)
      if (!gone.aborted && time >= sinceMs) await onLine(text, time, isPart);
    if (gone.aborted) break;
  }
  return { inode: ino, offset, read };
}

import { type FSWatcher, watch } from 'node:fs';
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

/** Reads on where it stopped; a file that was replaced by a fresh one is read from its beginning. */
async function followFile({ path, onLine, start, isOver, woken, gone }: Following): Promise<void> {
  let inode: number | null = null;
  let offset = 0;
  let read = lineReader();
  const { sinceMs = -Infinity, tailLines } = start;
  while (!gone.aborted) {
    // Asked before it is read: what was written until the end is read once more.
    const over = isOver();
    const file = await opened(path);
    if (file) {
      try {
        const { ino, size } = await file.stat();
        if (inode === null && tailLines !== undefined) offset = await tailOffset(file, tailLines);
        else if (ino !== inode || size < offset) {
          offset = 0;
          read = lineReader();
        }
        inode = ino;
        for await (const piece of linesFromOffset(file, offset, read)) {
          offset = piece.offset;
          for (const { text, at: time } of piece.lines) {
            if (gone.aborted) return;
            if (time >= sinceMs) await onLine(text, time);
          }
        }
      } finally {
        await file.close();
      }
    } else inode ??= 0;
    if (over) return;
    await woken();
  }
}

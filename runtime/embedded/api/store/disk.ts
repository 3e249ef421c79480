import { open } from 'lmdb';
import { BadData } from '../../badData.ts';
import type { Place } from '../../store.ts';
import { checkFile, format } from './checkFile.ts';
import { openCommits } from './commits.ts';
import { checkRoomToBegin, makeRoomForReaders, whyNotWritten } from './room.ts';
import { makeFolder } from '../../makeFolder.ts';

/** One object to keep, or to forget when `text` is null. */
export interface Entry {
  readonly place: Place;
  readonly text: string | null;
}

/** What keeps the objects over a restart. */
export interface Disk {
  readonly revision: number;
  readonly load: () => Iterable<{ readonly place: Place; readonly text: string }>;
  /** Resolves when everything is on the disk, rejects when nothing of it is. */
  readonly write: (entries: readonly Entry[], revision: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

const keyOf = ({ bucket, namespace, name }: Place) => `${bucket}/${namespace}/${name}`;

/** The longest that fits a page of lmdb with its marks. */
const mostKeyBytes = 1_900;

/** A key that lmdb refuses must be found before: what was asked for before it would be committed without it. */
function checked(key: string): string {
  if (Buffer.byteLength(key) > mostKeyBytes) throw new Error(`the name is too long to store: ${key.slice(0, 80)}`);
  return key;
}

/** The place that a key of the file stands for. */
export function placeOf(key: string): Place {
  const [group = '', plural = '', namespace = '', name = ''] = key.split('/');
  return { bucket: `${group}/${plural}`, namespace, name };
}

function opened(path: string) {
  try {
    // Batches of lmdb's own would have promises that nobody can reach: they reject too and end the process.
    return open({ path, maxDbs: 2, overlappingSync: false, eventTurnBatching: false });
  } catch (error) {
    const [, denied] = /^(permission denied|operation not permitted|read-only file system)/i.exec(why(error)) ?? [];
    if (denied === undefined) throw error;
    throw new BadData(`the data directory cannot be used: ${denied.toLowerCase()}, open '${path}'`);
  }
}

const why = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Objects as JSON text in one lmdb file; refuses one that it cannot go on with. */
export function openDisk(dir: string): Disk {
  makeFolder(dir, 0o700);
  checkFile(`${dir}/objects.mdb`);
  makeRoomForReaders(`${dir}/objects.mdb-lock`);
  checkRoomToBegin(`${dir}/objects.mdb`);
  const root = opened(`${dir}/objects.mdb`);
  const objects = root.openDB<string, string>({ name: 'objects', encoding: 'string' });
  const about = root.openDB<number, string>({ name: 'about', encoding: 'json' });
  const commit = openCommits(root);
  let isMarked = about.get('format') === format;
  return {
    revision: about.get('revision') ?? 0,
    *load() {
      for (const { key, value } of objects.getRange({ snapshot: false })) yield { place: placeOf(key), text: value };
    },
    async write(entries, revision) {
      try {
        const keyed = entries.map(({ place, text }) => ({ key: checked(keyOf(place)), text }));
        await commit(() => {
          for (const { key, text } of keyed)
            if (text === null) void objects.remove(key);
            else void objects.put(key, text);
          if (!isMarked) void about.put('format', format);
          void about.put('revision', revision);
        });
        isMarked = true;
      } catch (failure) {
        throw whyNotWritten(failure, dir);
      }
    },
    close: () => root.close(),
  };
}

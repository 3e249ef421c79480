import { mkdirSync } from 'node:fs';
import { open } from 'lmdb';
import type { Place } from '../../store.ts';
import { checkFile, format } from './checkFile.ts';
import { checkRoomToBegin, makeRoomForReaders, whyNotWritten } from './room.ts';

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

/** The place that a key of the file stands for. */
export function placeOf(key: string): Place {
  const [group = '', plural = '', namespace = '', name = ''] = key.split('/');
  return { bucket: `${group}/${plural}`, namespace, name };
}

/** Objects as JSON text in one lmdb file; refuses one that it cannot go on with. */
export function openDisk(dir: string): Disk {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  checkFile(`${dir}/objects.mdb`);
  makeRoomForReaders(`${dir}/objects.mdb-lock`);
  checkRoomToBegin(`${dir}/objects.mdb`);
  const root = open({ path: `${dir}/objects.mdb`, maxDbs: 2, overlappingSync: false });
  const objects = root.openDB<string, string>({ name: 'objects', encoding: 'string' });
  const about = root.openDB<number, string>({ name: 'about', encoding: 'json' });
  let isMarked = about.get('format') === format;
  return {
    revision: about.get('revision') ?? 0,
    *load() {
      for (const { key, value } of objects.getRange({ snapshot: false })) yield { place: placeOf(key), text: value };
    },
    // Not lmdb's own queue: when a commit fails there, promises that nobody can reach reject too and end the process.
    async write(entries, revision) {
      try {
        root.transactionSync(() => {
          for (const { place, text } of entries)
            if (text === null) objects.removeSync(keyOf(place));
            else objects.putSync(keyOf(place), text);
          if (!isMarked) about.putSync('format', format);
          about.putSync('revision', revision);
        });
        isMarked = true;
      } catch (failure) {
        throw whyNotWritten(failure, dir);
      }
    },
    close: () => root.close(),
  };
}

import { open } from 'lmdb';
import { checkFile } from './checkFile.ts';

export interface Snapshot {
  /** Key and JSON text of every object, all as they were at one moment. */
  readonly objects: () => Iterable<{ readonly key: string; readonly value: string }>;
  /** At or after the newest version among the objects. */
  readonly revision: () => number;
  readonly close: () => Promise<void>;
}

/** Reads the objects of a data directory that a running program may go on writing to. */
export function openSnapshot(dir: string): Snapshot {
  const path = `${dir}/objects.mdb`;
  checkFile(path, 'changing');
  const root = open({ path, readOnly: true, maxDbs: 2 });
  const objects = root.openDB<string, string>({ name: 'objects', encoding: 'string' });
  const about = root.openDB<number, string>({ name: 'about', encoding: 'json' });
  return {
    objects: () => objects.getRange(),
    revision: () => {
      root.resetReadTxn();
      return about.get('revision') ?? 0;
    },
    close: () => root.close(),
  };
}

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { BadData } from '../badData.ts';

/** Written by a first start after the file of the objects was begun, never before. */
const keys = ['token', 'pki/certificates.json', 'pki/service-accounts.key', 'git-app.json'];

/** Refuses a data directory that has keys and no objects: it is what is left of a cluster, not a new one. */
export function checkObjectsAreThere(dataDir: string): void {
  const file = join(dataDir, 'objects', 'objects.mdb');
  const size = sizeOf(file);
  if (size !== undefined && size > 0) return;
  const key = keys.find((name) => sizeOf(join(dataDir, name)) !== undefined);
  if (key === undefined) return;
  throw new BadData(
    `${file} is ${size === undefined ? 'missing' : 'empty'}, but there are keys of a cluster (${key}): restore a backup, or empty ${dataDir} to begin anew`,
  );
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size;

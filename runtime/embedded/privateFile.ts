import { chmodSync, renameSync, writeFileSync } from 'node:fs';

/** The access rights of a file that only its owner may read. */
export const ownerOnlyFile = 0o600;

/** Writes a file that only its owner may read, whole or not at all. */
export function writePrivate(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: ownerOnlyFile });
  chmodSync(`${path}.new`, ownerOnlyFile);
  renameSync(`${path}.new`, path);
}

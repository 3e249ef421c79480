import { fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';

const mostBytes = 300;

/** Names this process in a lock file: words for whoever is refused, nothing is decided by them. */
export function writeOwner(file: number): void {
  const text = `process ${process.pid} on ${hostname()}`;
  // In place: a full disk has no room for another block.
  ftruncateSync(file, writeSync(file, text, 0));
}

/** What a lock file says, empty when nothing. */
export function textIn(file: number): string {
  const bytes = Buffer.alloc(Math.min(fstatSync(file).size, mostBytes));
  return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, 0));
}

/** Who holds a lock, as far as its file says so. */
export function ownerIn(file: number): string {
  const text = textIn(file);
  return /^process \d+ on \S+$/.test(text) ? text : 'another process';
}

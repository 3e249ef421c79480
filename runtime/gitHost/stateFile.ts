import { existsSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { jsonIn, keptFile, makeFolder } from '../embedded/index.ts';

/** Writes a file atomically; once it resolves, the file also survives a power loss. */
export async function writeWhole(path: string, text: string): Promise<void> {
  makeFolder(dirname(path));
  const unfinished = await open(`${path}.new`, 'w', 0o600);
  try {
    await unfinished.writeFile(text);
    await unfinished.sync();
  } finally {
    await unfinished.close();
  }
  await rename(`${path}.new`, path);
  await syncFolder(dirname(path));
}

/** A new name is durable only after a sync of its folder. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The content of a file; `absent` when there is none. Unexpected content throws. */
export function readState<T>(path: string, absent: T, is: (value: unknown) => value is T): T {
  if (!existsSync(path)) return absent;
  return keptFile(path, (text) => {
    const value = jsonIn(text);
    if (is(value)) return value;
    throw new Error('it says something else than it was written with');
  });
}

/** Keeps a file equal to a value in memory: `save` resolves once the current value is written. */
export function savedTo(path: string, value: () => unknown): () => Promise<void> {
  let writing: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  return () => {
    const before = writing.catch(() => {}); // The callers of that write get the error.
    next ??= before.then(() => {
      next = null;
      writing = writeWhole(path, JSON.stringify(value()));
      return writing;
    });
    return next;
  };
}

import { existsSync } from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { jsonIn, keptFile } from '../embedded/index.ts';

/** Writes a file whole or not at all; once it resolves, a loss of power does not take it away either. */
export async function writeWhole(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
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

/** A name is as durable as the folder that it stands in. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** What a file says; `absent` where there is none. One that says something else is refused. */
export function readState<T>(path: string, absent: T, is: (value: unknown) => value is T): T {
  if (!existsSync(path)) return absent;
  return keptFile(path, (text) => {
    const value = jsonIn(text);
    if (is(value)) return value;
    throw new Error('it says something else than it was written with');
  });
}

/** A file kept equal to a value in memory: `save` resolves once the value as it is now is written. */
export function savedTo(path: string, value: () => unknown): () => Promise<void> {
  let writing: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  return () => {
    const before = writing.catch(() => {}); // Its own callers were told.
    next ??= before.then(() => {
      next = null;
      writing = writeWhole(path, JSON.stringify(value()));
      return writing;
    });
    return next;
  };
}

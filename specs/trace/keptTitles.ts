import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where titles are kept between runs: to parse every spec takes longer than most commands that need them. */
const keptTitlesFile = fileURLToPath(new URL('../../node_modules/.cache/specs/titles.json', import.meta.url));

const readers = ['titles.ts', 'ids.ts'].map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'));

/** The key of what a text is read as: other code may read it differently. */
const keyOf = (...texts: readonly string[]) =>
  createHash('sha256')
    .update(JSON.stringify([readers, texts]))
    .digest('base64');

function keptIn(cache: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(readFileSync(cache, 'utf8')) as Readonly<Record<string, unknown>>;
  } catch {
    // None yet, or not a whole one: everything is read anew.
    return {};
  }
}

/** Whole or not at all; without a place to keep them, titles are read anew each time. */
function keep(cache: string, entries: object): void {
  try {
    mkdirSync(dirname(cache), { recursive: true });
    writeFileSync(`${cache}.${process.pid}`, JSON.stringify(entries));
    renameSync(`${cache}.${process.pid}`, cache);
  } catch {
    return;
  }
}

/** What `read` makes of each file, from the cache where its name and text are the same as before. */
export function readKept<T>(
  files: readonly (readonly [file: string, text: string])[],
  read: (text: string, file: string) => T,
  cache: string = keptTitlesFile,
): readonly T[] {
  const kept = keptIn(cache);
  const entries = files.map(([file, text]) => {
    const key = keyOf(file, text);
    return [key, (kept[key] as T | undefined) ?? read(text, file)] as const;
  });
  if (entries.some(([key]) => !(key in kept))) keep(cache, Object.fromEntries(entries));
  return entries.map(([, value]) => value);
}

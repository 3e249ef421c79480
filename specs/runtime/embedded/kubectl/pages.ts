import { readFileSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { type Step, readTranscript } from './transcript.ts';

/** A page of commands with what a cluster prints. */
export interface Page {
  /** Its name, which is also the namespace that its commands work in. */
  readonly name: string;
  readonly url: URL;
  readonly steps: readonly Step[];
}

const folder = new URL('transcripts/', import.meta.url);

/** Every page, in the order of their names. */
export const pages: readonly Page[] = readdirSync(folder)
  .filter((file) => file.endsWith('.md'))
  .toSorted()
  .map((file) => {
    const url = new URL(file, folder);
    return { name: basename(file, '.md'), url, steps: readTranscript(readFileSync(url, 'utf8')) };
  });

import { read } from '../../apiClient/shape.ts';
import type { NameSource } from '../command.ts';
import { loginNames } from '../config/file.ts';
import { makeContext } from '../context.ts';
import { type Exit, exits } from '../exits.ts';
import type { Io } from '../io.ts';
import { plain } from '../text/plain.ts';
import { commands } from '../tree.ts';
import { namesShape } from '../shapes.ts';
import { candidatesFor } from './candidates.ts';

/** The word by which the shells ask for completions. */
export const completeWord = '__complete';

const withinMs = 1_000;

const paths = {
  apps: '/apps',
  projects: '/projects',
  databases: '/databases',
  stores: '/object-stores',
  nodes: '/nodes',
} as const satisfies Partial<Record<NameSource, string>>;

async function namesFrom(source: NameSource, io: Io): Promise<readonly string[]> {
  const context = makeContext(io, {}, { args: [], flags: {} });
  try {
    if (source === 'contexts') return loginNames(context.config());
    if (source === 'commands') return [];
    const answer = await context.client().ask('GET', paths[source], { timeoutMs: withinMs });
    return read(namesShape, answer).items.map(({ name }) => name);
  } catch {
    // Completion prints no error: neither that nobody is signed in, nor that the API does not answer.
    return [];
  } finally {
    context.close();
  }
}

/** Prints what completes the last word, a line each. */
export async function complete(words: readonly string[], io: Io): Promise<Exit> {
  const found = candidatesFor(words, commands);
  const all = found.is === 'words' ? found.words : await namesFrom(found.source, io);
  const last = words.at(-1) ?? '';
  const fitting = all.filter((word) => word.startsWith(last) && plain(word) === word);
  await io.out.write(fitting.map((word) => `${word}\n`).join(''));
  return exits.success;
}

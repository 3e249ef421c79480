import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { thrownFrom, whyThrown } from './thrown.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A file that a check needs and that cannot be read; each reason is one line with its place. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  readonly faults: readonly string[];
  constructor(faults: readonly string[], options?: ErrorOptions) {
    super(faults.join('\n'), options);
    this.faults = faults;
  }
}

/** An error line of the TypeScript transpiler about a file that does not parse. */
const untranslated = /^(\/.+?):(\d+):\d+: (?:ERROR|error): (.*)$/gm;

const here = (path: string): string => {
  const inside = relative(root, path.startsWith('file:') ? fileURLToPath(path) : path);
  return inside.startsWith('..') ? path : inside;
};

/** Why a file could not be loaded, as `file:line: why`; `asked` is the fallback for the file. */
export function whyUnloadable(thrown: unknown, asked: string): readonly string[] {
  if (thrown instanceof Unreadable) return thrown.faults;
  if (!(thrown instanceof Error)) return [`${asked}: ${whyThrown(thrown)}`];
  const refused = [...thrown.message.matchAll(untranslated)];
  if (refused.length > 0) return refused.map(([, file = '', line = '', why = '']) => `${here(file)}:${line}: ${why}`);
  const [why = ''] = thrown.message.split('\n');
  const [, absent, importer] = /^Cannot find module '([^']+)' imported from (.*)$/.exec(why) ?? [];
  if (absent !== undefined && importer !== undefined)
    return [`${here(importer)}: ${here(absent)} is not there, which it imports`];
  if ('code' in thrown && thrown.code === 'ENOENT' && 'path' in thrown)
    return [`${here(String(thrown.path))} is not there`];
  return [`${linkedFrom(thrown) ?? thrownFrom(thrown) ?? asked}: ${why}`];
}

/** The line that imports what another file does not export: the first of the stack. */
function linkedFrom({ stack = '' }: Error): string | null {
  const [, file, line] = /^(file:\/\/\/[^\n]+?):(\d+)\n/.exec(stack) ?? [];
  return file === undefined ? null : `${here(file)}:${line}`;
}

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Run } from './run.ts';
import { thrownFrom, whyThrown } from './thrown.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Documents written down as a function that does not know a state of the table. */
export class UnknownState extends Error {
  override readonly name = 'UnknownState';
  readonly at: string;
  constructor(file: string, line: number, state: string) {
    super(`${file} knows no state ${state}`);
    this.at = `${file}:${line}`;
  }
}

/** The event that happened over some facts according to the documents, or null for none. */
export function documentsSay({ subject }: Run, state: string, facts: unknown): string | null {
  let said: string | null | undefined;
  try {
    said = subject.documents(state, facts);
  } catch (thrown) {
    throw unknownState(subject.name, state, thrown) ?? documentsThrow(thrown);
  }
  if (said === undefined)
    throw unknownState(subject.name, state) ?? new Error('the documents say neither an event nor null');
  return said;
}

const documentsThrow = (thrown: unknown) => new Error(`the documents throw "${whyThrown(thrown)}"`, { cause: thrown });

/** A state that the file of the documents does not name. */
function unknownState(lifecycle: string, state: string, thrown?: unknown): UnknownState | null {
  const file = fileOf(lifecycle);
  const text = readFileSync(`${root}${file}`, 'utf8');
  if (text.split(/[^\w()]+/).includes(state)) return null;
  const declared = text.split('\n').findIndex((line) => /\bdocuments\b/.test(line)) + 1;
  const [from, line] = thrownFrom(thrown)?.split(':') ?? [];
  return new UnknownState(file, from === file ? Number(line) : declared, state);
}

const fileOf = (lifecycle: string): string => {
  const own = `specs/lifecycles/${lifecycle}/documents.ts`;
  return existsSync(`${root}${own}`) ? own : `specs/lifecycles/${lifecycle}.ts`;
};

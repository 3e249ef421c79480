import { existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BadData, jsonIn, keptFile, makeFolder } from '../../embedded/index.ts';
import { writeWhole } from '../../gitHost/stateFile.ts';
import { apply, type Change, changesOf, type CloudState, emptyState } from './state.ts';

/** Stores the changes of a cloud as lines of a file. */
export interface KeptState {
  readonly state: CloudState;
  readonly append: (change: Change) => void;
  /** Resolves once every change so far is on the disk. */
  readonly flushed: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const isChange = (value: unknown): value is Change =>
  typeof value === 'object' && value !== null && typeof (value as { readonly is?: unknown }).is === 'string';

/** An incomplete last line was never acknowledged. */
function stateIn(path: string): CloudState {
  const state = emptyState();
  if (!existsSync(path)) return state;
  keptFile(path, (text) => {
    for (const line of text.split('\n').slice(0, -1)) {
      const change = jsonIn(line);
      if (!isChange(change)) throw new BadData(`${path} says something else than it was written with`);
      apply(state, change);
    }
  });
  return state;
}

/** Reads the state, and rewrites the file with the shortest list of changes. */
export async function keptState(path: string): Promise<KeptState> {
  makeFolder(dirname(path), 0o700);
  const state = stateIn(path);
  await writeWhole(path, [...changesOf(state)].map((change) => `${JSON.stringify(change)}\n`).join(''));
  const file = await open(path, 'a', 0o600);
  let waiting = '';
  let writing: Promise<void> = Promise.resolve();
  const write = async () => {
    const text = waiting;
    waiting = '';
    if (text !== '') await written(file, text);
  };
  const flushed = () => (writing = writing.then(write));
  return {
    state,
    append: (change) => {
      waiting += `${JSON.stringify(change)}\n`;
    },
    flushed,
    close: async () => {
      await flushed();
      await file.close();
    },
  };
}

async function written(file: FileHandle, text: string): Promise<void> {
  await file.appendFile(text);
  await file.datasync();
}

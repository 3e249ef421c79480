import { mkdirSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isTold, type Told } from './send.ts';
import { readState, writeWhole } from './stateFile.ts';

/** Events that the receiver has not accepted yet, on disk, oldest first. */
export interface Outbox {
  /** Resolves once it is stored. A waiting event is stored once. */
  readonly add: (told: Told) => Promise<void>;
  readonly first: (repository: string) => Told | undefined;
  readonly remove: (id: string) => Promise<void>;
  readonly all: () => readonly Told[];
}

/** Above this the oldest are dropped: the receiver also polls the branches. */
const mostWaiting = 1_000;

export function outboxIn(folder: string, givenUp: (told: Told) => void): Outbox {
  mkdirSync(folder, { recursive: true });
  const fileOf = (seq: number) => join(folder, `${String(seq).padStart(12, '0')}.json`);
  const waiting = new Map<string, { readonly told: Told; readonly seq: number }>();
  for (const file of readdirSync(folder).sort()) {
    const told = file.endsWith('.json') ? readState<Told | null>(join(folder, file), null, isTold) : null;
    if (told !== null) waiting.set(told.id, { told, seq: Number.parseInt(file, 10) });
  }
  let seq = Math.max(0, ...[...waiting.values()].map((one) => one.seq));

  const remove = async (id: string) => {
    const found = waiting.get(id);
    waiting.delete(id);
    if (found) await rm(fileOf(found.seq), { force: true });
  };
  return {
    add: async (told) => {
      if (waiting.has(told.id)) return;
      const number = (seq += 1);
      await writeWhole(fileOf(number), JSON.stringify(told));
      waiting.set(told.id, { told, seq: number });
      const [oldest] = waiting.values();
      if (waiting.size <= mostWaiting || !oldest) return;
      givenUp(oldest.told);
      await remove(oldest.told.id);
    },
    first: (repository) => {
      for (const { told } of waiting.values()) if (told.repository === repository) return told;
      return undefined;
    },
    remove,
    all: () => [...waiting.values()].map(({ told }) => told),
  };
}

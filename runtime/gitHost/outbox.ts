import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isWebhookMessage, type WebhookMessage } from './send.ts';
import { readState, writeWhole } from './stateFile.ts';
import { makeFolder } from '../embedded/index.ts';

/** Events that the receiver has not accepted yet, on disk, oldest first. */
export interface Outbox {
  /** Resolves once it is stored. A waiting event is stored once. */
  readonly add: (message: WebhookMessage) => Promise<void>;
  readonly first: (repository: string) => WebhookMessage | undefined;
  readonly remove: (id: string) => Promise<void>;
  readonly all: () => readonly WebhookMessage[];
}

/** Above this the oldest are dropped: the receiver also polls the branches. */
const mostWaiting = 1_000;

export function outboxIn(folder: string, givenUp: (message: WebhookMessage) => void): Outbox {
  makeFolder(folder);
  const fileOf = (seq: number) => join(folder, `${String(seq).padStart(12, '0')}.json`);
  const waiting = new Map<string, { readonly message: WebhookMessage; readonly seq: number }>();
  for (const file of readdirSync(folder).sort()) {
    const message = file.endsWith('.json')
      ? readState<WebhookMessage | null>(join(folder, file), null, isWebhookMessage)
      : null;
    if (message !== null) waiting.set(message.id, { message, seq: Number.parseInt(file, 10) });
  }
  let seq = Math.max(0, ...[...waiting.values()].map((one) => one.seq));

  const remove = async (id: string) => {
    const found = waiting.get(id);
    waiting.delete(id);
    if (found) await rm(fileOf(found.seq), { force: true });
  };
  return {
    add: async (message) => {
      if (waiting.has(message.id)) return;
      const number = (seq += 1);
      await writeWhole(fileOf(number), JSON.stringify(message));
      waiting.set(message.id, { message, seq: number });
      const [oldest] = waiting.values();
      if (waiting.size <= mostWaiting || !oldest) return;
      givenUp(oldest.message);
      await remove(oldest.message.id);
    },
    first: (repository) => {
      for (const { message } of waiting.values()) if (message.repository === repository) return message;
      return undefined;
    },
    remove,
    all: () => [...waiting.values()].map(({ message }) => message),
  };
}

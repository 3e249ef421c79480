import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isWebhookMessage, type WebhookMessage } from './send.ts';
import { readState, writeWhole } from './stateFile.ts';
import { makeFolder } from '../embedded/index.ts';

/** Events that the receiver has not accepted yet, on disk, oldest first. */
export interface Outbox {
  /**
   * Resolves once all are stored, in one file, which is deleted with the last of them, so after a restart accepted ones
   * may be sent once more. A waiting event is stored once.
   */
  readonly add: (messages: readonly WebhookMessage[]) => Promise<void>;
  readonly first: (repository: string) => WebhookMessage | undefined;
  readonly remove: (id: string) => Promise<void>;
  readonly all: () => readonly WebhookMessage[];
}

/** Above this the oldest are dropped: the receiver also polls the branches. */
const maxWaiting = 1_000;

const isStored = (value: unknown): value is readonly WebhookMessage[] =>
  Array.isArray(value) && value.every(isWebhookMessage);
const isStoredOrOne = (value: unknown): value is WebhookMessage | readonly WebhookMessage[] =>
  isStored(value) || isWebhookMessage(value);

export function outboxIn(folder: string, givenUp: (message: WebhookMessage) => void): Outbox {
  makeFolder(folder);
  const fileOf = (seq: number) => join(folder, `${String(seq).padStart(12, '0')}.json`);
  const waiting = new Map<string, { readonly message: WebhookMessage; readonly seq: number }>();
  /** The number of waiting events of each file. */
  const left = new Map<number, number>();

  const hold = (messages: readonly WebhookMessage[], seq: number) => {
    for (const message of messages) waiting.set(message.id, { message, seq });
    left.set(seq, messages.length);
  };
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith('.json')) continue;
    const stored = readState<WebhookMessage | readonly WebhookMessage[]>(join(folder, file), [], isStoredOrOne);
    hold(isStored(stored) ? stored : [stored], Number.parseInt(file, 10));
  }
  let seq = Math.max(0, ...left.keys());

  const remove = async (id: string) => {
    const found = waiting.get(id);
    if (found === undefined) return;
    waiting.delete(id);
    const others = (left.get(found.seq) ?? 1) - 1;
    left.set(found.seq, others);
    if (others > 0) return;
    left.delete(found.seq);
    await rm(fileOf(found.seq), { force: true });
  };
  return {
    add: async (messages) => {
      const added = messages.filter(({ id }) => !waiting.has(id));
      if (added.length === 0) return;
      const number = (seq += 1);
      await writeWhole(fileOf(number), JSON.stringify(added.length === 1 ? added[0] : added));
      hold(added, number);
      for (const [id, { message }] of [...waiting].slice(0, Math.max(0, waiting.size - maxWaiting))) {
        givenUp(message);
        await remove(id);
      }
    },
    first: (repository) => {
      for (const { message } of waiting.values()) if (message.repository === repository) return message;
      return undefined;
    },
    remove,
    all: () => [...waiting.values()].map(({ message }) => message),
  };
}

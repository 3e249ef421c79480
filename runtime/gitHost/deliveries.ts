import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { attemptsIn, type Delivery } from './attempts.ts';
import { outboxIn } from './outbox.ts';
import { isTooLarge, send, type WebhookMessage } from './send.ts';

export interface Deliveries {
  /**
   * Resolves once the events are on disk; each is delivered until the receiver accepts it, after the earlier ones of
   * its repository.
   */
  readonly keep: (messages: readonly WebhookMessage[]) => Promise<void>;
  /** Redelivers an event at once, with the same id; null when the id is unknown or there is no receiver. */
  readonly redeliver: (id: string) => Promise<Delivery | null>;
  /** The newest 100 attempts, newest first. */
  readonly all: () => readonly Delivery[];
  /** The events that the receiver has not accepted yet, oldest first. */
  readonly waiting: () => readonly WebhookMessage[];
  readonly stop: () => Promise<void>;
}

export interface Receiver {
  /** The secret that signs events. */
  readonly secret: () => string;
  /** Null while there is no receiver. */
  readonly webhookUrl: () => string | null;
  readonly log: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}

const firstPauseMs = 250;
const maxPauseMs = 60_000;
/** The longest pause before a first response: an expected receiver starts soon, or never. */
const maxPauseUnheardMs = 2_000;

/** Delivers every event at least once, also after a restart: the receiver has to recognize repeated ids. */
export function deliveriesIn(folder: string, { secret, webhookUrl, log }: Receiver): Deliveries {
  const attempts = attemptsIn(folder);
  const outbox = outboxIn(join(folder, 'waiting'), ({ id, repository }) => {
    log('event queue full; dropped oldest event', { id, repository });
  });
  const stopped = new AbortController();
  const workers = new Map<string, Promise<void>>();
  const pauses = new Map<string, AbortController>();

  const attempt = async (url: string, message: WebhookMessage, redelivery: boolean): Promise<Delivery> => {
    const { id, event, repository } = message;
    const startedAt = performance.now();
    const outcome = await send(url, message, secret(), stopped.signal);
    log('delivered', { id, event, repository, ...outcome });
    if (isTaken(outcome) || isTooLarge(message)) await outbox.remove(id);
    return attempts.add({
      ...message,
      ...outcome,
      url,
      redelivery,
      deliveredAt: new Date().toISOString(),
      durationMs: Math.round(performance.now() - startedAt),
    });
  };

  /** Waits between two attempts; a stop or the next event of the repository ends the wait. */
  const pause = async (repository: string, failures: number, maxMs: number) => {
    const ended = new AbortController();
    pauses.set(repository, ended);
    const signal = AbortSignal.any([ended.signal, stopped.signal]);
    await wait(Math.min(maxMs, firstPauseMs * 2 ** (failures - 1)), undefined, { signal, ref: false }).catch(() => {});
  };

  const tried = async (url: string, message: WebhookMessage): Promise<boolean> => {
    try {
      return isTaken(await attempt(url, message, attempts.newest(message.id) !== undefined));
    } catch (error) {
      log('failed to deliver event', { id: message.id, repository: message.repository, error: String(error) });
      return false;
    }
  };

  const workOff = async (repository: string) => {
    let failures = 0;
    for (
      let message = outbox.first(repository);
      message && !stopped.signal.aborted;
      message = outbox.first(repository)
    ) {
      const url = webhookUrl();
      failures = url !== null && (await tried(url, message)) ? 0 : failures + 1;
      const isLeft = outbox.first(repository) === message;
      if (isLeft) await pause(repository, failures, url === null ? maxPauseUnheardMs : maxPauseMs);
    }
    workers.delete(repository);
  };
  const work = (repository: string) => {
    pauses.get(repository)?.abort();
    if (!workers.has(repository)) workers.set(repository, workOff(repository));
  };
  for (const { repository } of outbox.all()) work(repository);

  return {
    keep: async (messages) => {
      await outbox.add(messages);
      for (const repository of new Set(messages.map((message) => message.repository))) work(repository);
    },
    redeliver: async (id) => {
      const message = outbox.all().find((one) => one.id === id) ?? attempts.newest(id);
      const url = webhookUrl();
      return message && url !== null ? attempt(url, message, true) : null;
    },
    all: attempts.all,
    waiting: outbox.all,
    stop: async () => {
      stopped.abort();
      await Promise.allSettled(workers.values());
    },
  };
}

const isTaken = ({ statusCode }: Pick<Delivery, 'statusCode'>) =>
  statusCode !== null && statusCode >= 200 && statusCode < 300;

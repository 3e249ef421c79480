import { createHmac, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isJson } from '../api/json.ts';
import { readState, writeWhole } from './stateFile.ts';

/** One attempt to tell the receiver of an event. */
export interface Delivery {
  readonly id: string;
  /** Counts the deliveries from 1. */
  readonly seq: number;
  readonly event: string;
  readonly repository: string;
  readonly deliveredAt: string;
  readonly durationMs: number;
  readonly url: string | null;
  /** What the receiver answered, null when it did not. */
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly redelivery: boolean;
  readonly body: string;
}

const isDelivery = (value: unknown): value is Delivery =>
  isJson(value) &&
  typeof value['seq'] === 'number' &&
  ['id', 'event', 'repository', 'deliveredAt', 'body'].every((field) => typeof value[field] === 'string');

export interface Deliveries {
  /** Delivers after those before it of the same repository; resolves when it was tried. */
  readonly deliver: (event: string, repository: string, body: () => Promise<string>) => Promise<Delivery>;
  /** Sends one again, under its own id. */
  readonly redeliver: (id: string) => Promise<Delivery | null>;
  /** The newest 100, newest first. */
  readonly all: () => readonly Delivery[];
  readonly stop: () => Promise<void>;
}

const kept = 100;
const timeoutMs = 10_000;
const mostBytes = 25 * 1_024 * 1_024;

export function deliveriesIn(
  folder: string,
  {
    secret,
    webhookUrl,
    log,
  }: {
    readonly secret: string;
    readonly webhookUrl: () => string | null;
    readonly log: (message: string, fields: Readonly<Record<string, unknown>>) => void;
  },
): Deliveries {
  mkdirSync(folder, { recursive: true });
  const fileOf = ({ seq }: Delivery) => join(folder, `${String(seq).padStart(12, '0')}.json`);
  const recorded = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => readState<Delivery | null>(join(folder, file), null, isDelivery))
    .filter((delivery) => delivery !== null);
  let seq = recorded.at(-1)?.seq ?? 0;
  const turns = new Map<string, Promise<unknown>>();
  const stopped = new AbortController();

  const record = async (delivery: Delivery) => {
    recorded.push(delivery);
    recorded.sort((a, b) => a.seq - b.seq);
    await writeWhole(fileOf(delivery), JSON.stringify(delivery));
    for (const old of recorded.splice(0, Math.max(0, recorded.length - kept))) rmSync(fileOf(old), { force: true });
  };
  const attempt = async (asked: Pick<Delivery, 'id' | 'event' | 'repository' | 'body' | 'redelivery'>) => {
    const url = webhookUrl();
    const startedAt = performance.now();
    const number = (seq += 1);
    const outcome = await send(url, asked, secret, stopped.signal);
    const delivery: Delivery = {
      ...asked,
      ...outcome,
      seq: number,
      url,
      deliveredAt: new Date().toISOString(),
      durationMs: Math.round(performance.now() - startedAt),
    };
    const { id, event, repository } = asked;
    log('delivered', { id, event, repository, ...outcome });
    await record(delivery);
    return delivery;
  };
  const inTurn = <T>(repository: string, work: () => Promise<T>): Promise<T> => {
    const turn = (turns.get(repository) ?? Promise.resolve()).catch(() => {}).then(work);
    turns.set(repository, turn);
    return turn;
  };

  return {
    deliver: (event, repository, body) =>
      inTurn(repository, async () =>
        attempt({ id: randomUUID(), event, repository, body: await body(), redelivery: false }),
      ),
    redeliver: async (id) => {
      const before = recorded.findLast((delivery) => delivery.id === id);
      if (!before) return null;
      const { event, repository, body } = before;
      return inTurn(repository, () => attempt({ id, event, repository, body, redelivery: true }));
    },
    all: () => recorded.toReversed(),
    stop: async () => {
      stopped.abort();
      await Promise.allSettled(turns.values());
    },
  };
}

/** `sha256=<hex>` over the body as it is sent. */
const signature = (secret: string, body: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

async function send(
  url: string | null,
  { id, event, body }: Pick<Delivery, 'id' | 'event' | 'body'>,
  secret: string,
  stopped: AbortSignal,
): Promise<Pick<Delivery, 'statusCode' | 'error'>> {
  if (url === null) return { statusCode: null, error: 'no webhook URL is set' };
  if (Buffer.byteLength(body) > mostBytes) return { statusCode: null, error: 'the payload is larger than 25 MiB' };
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.any([stopped, AbortSignal.timeout(timeoutMs)]),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'GitHub-Hookshot/core',
        'x-github-event': event,
        'x-github-delivery': id,
        'x-hub-signature-256': signature(secret, body),
      },
      body,
    });
    await response.body?.cancel();
    return { statusCode: response.status, error: response.ok ? null : `it answered ${response.status}` };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { statusCode: null, error: cause instanceof Error ? cause.message || cause.name : String(cause) };
  }
}

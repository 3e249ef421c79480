import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isWebhookMessage, type Outcome, type WebhookMessage } from './send.ts';
import { readState, writeWhole } from './stateFile.ts';
import { makeFolder } from '../embedded/index.ts';

/** One attempt to deliver an event to the receiver. */
export interface Delivery extends WebhookMessage, Outcome {
  /** The number of the attempt, from 1. */
  readonly seq: number;
  readonly deliveredAt: string;
  readonly durationMs: number;
  readonly url: string;
  readonly redelivery: boolean;
}

export interface Attempts {
  readonly add: (attempt: Omit<Delivery, 'seq'>) => Promise<Delivery>;
  readonly newest: (id: string) => Delivery | undefined;
  /** The newest 100, newest first. */
  readonly all: () => readonly Delivery[];
}

const kept = 100;

const isDelivery = (value: unknown): value is Delivery =>
  isWebhookMessage(value) && 'seq' in value && typeof value.seq === 'number' && 'deliveredAt' in value;

/** The newest attempts with their outcomes, on disk. */
export function attemptsIn(folder: string): Attempts {
  makeFolder(folder);
  const fileOf = ({ seq }: Delivery) => join(folder, `${String(seq).padStart(12, '0')}.json`);
  const recorded = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => readState<Delivery | null>(join(folder, file), null, isDelivery))
    .filter((delivery) => delivery !== null);
  let seq = recorded.at(-1)?.seq ?? 0;
  return {
    add: async (attempt) => {
      const delivery = { ...attempt, seq: (seq += 1) };
      recorded.push(delivery);
      await writeWhole(fileOf(delivery), JSON.stringify(delivery));
      for (const old of recorded.splice(0, Math.max(0, recorded.length - kept))) rmSync(fileOf(old), { force: true });
      return delivery;
    },
    newest: (id) => recorded.findLast((delivery) => delivery.id === id),
    all: () => recorded.toReversed(),
  };
}

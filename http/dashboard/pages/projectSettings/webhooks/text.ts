import type { DeliveryItem, WebhookItem } from '../../../../api.ts';
import { plural } from '../../../model/plural.ts';
import { exactSpan } from '../../../model/time.ts';

/** The events that a webhook may choose, with the words for them. */
export const eventWords = [
  { event: 'deployment.started', label: 'A deploy starts' },
  { event: 'deployment.succeeded', label: 'A deploy succeeds' },
  { event: 'deployment.failed', label: 'A deploy fails' },
] as const;
export type EventName = (typeof eventWords)[number]['event'];

const maxAttempts = 3;

/** Where a receiver is. */
export const addressField = {
  name: 'url',
  label: 'Address of the receiver',
  kind: 'text',
  help: 'Such as https://ci.example.org/hook.',
} as const;

/** Whether a delivery is still to be tried, or being tried. */
export const isUnderWay = ({ durationMillis }: Pick<DeliveryItem, 'durationMillis'>): boolean =>
  durationMillis === null;

/** How long a delivery took, all its attempts and the waits between them: `84 ms`, `7 s`. */
const tookWord = (ms: number): string => (ms < 1_000 ? `${ms} ms` : exactSpan(ms));

/** How far a delivery has come: `2 of 3 attempts`, `1 attempt, 84 ms`. */
export function attemptsWord({ attempts, event, durationMillis }: DeliveryItem): string {
  if (durationMillis === null) return event === 'test' ? 'one attempt' : `${attempts} of ${maxAttempts} attempts`;
  return `${plural(attempts, 'attempt')}, ${tookWord(durationMillis)}`;
}

/** How a delivery stands, for the filter of a log. */
export const resultWords = ['Delivered', 'Failed', 'Under way'] as const;
type ResultWord = (typeof resultWords)[number];

const resultOf = ({ state }: Pick<DeliveryItem, 'state'>): ResultWord =>
  state === 'Delivered' || state === 'Failed' ? state : 'Under way';

/** What a log of deliveries is cut down to; empty fields leave out nothing. */
export interface DeliveryFilter {
  readonly text: string;
  readonly event: string;
  readonly result: string;
}

export function shownDeliveries(
  deliveries: readonly DeliveryItem[],
  { text, event, result }: DeliveryFilter,
): readonly DeliveryItem[] {
  const wanted = text.trim().toLowerCase();
  return deliveries.filter(
    (one) =>
      (event === '' || one.event === event) &&
      (result === '' || resultOf(one) === result) &&
      `${one.event} ${one.service} ${answerWord(one)}`.toLowerCase().includes(wanted),
  );
}

/** The answer of the receiver in short: what is wrong with it, otherwise its status. */
export const answerWord = ({ statusCode, error }: Pick<DeliveryItem, 'statusCode' | 'error'>): string => {
  if (error !== '') return error;
  return statusCode === null ? 'no answer yet' : `HTTP ${statusCode}`;
};

/** The events that a webhook receives, in one line. */
export function choiceWord({ events }: Pick<WebhookItem, 'events'>): string {
  if (events.length === 0) return 'every event';
  return eventWords
    .filter(({ event }) => events.includes(event))
    .map(({ label }) => label.toLowerCase())
    .join(', ');
}

/** Every event chosen means none in particular, so that new ones are sent too. */
export const chosenEvents = (chosen: readonly EventName[]): readonly EventName[] =>
  chosen.length === eventWords.length ? [] : chosen;

/** A line that checks a signature, for a terminal. */
export const signatureLine = `printf '%s.%s' "$TIMESTAMP" "$(cat body.json)" | openssl dgst -sha256 -hmac "$SECRET"`;
export const rotateWarning =
  'Deliveries are signed with the new secret from now on; receivers that check with the old one reject them.';
export const addressHelp = 'The secret stays. Pending deliveries go to the new address.';
export const testRefused = 'Send test: resume the webhook first.';
export const noDeliveryText = 'Nothing sent yet; the project keeps the newest 20.';
export const noWebhookText = 'A webhook sends a signed message when a deploy starts, succeeds or fails.';

import { createHmac } from 'node:crypto';

/** One outgoing attempt of a delivery. */
export interface Attempted {
  readonly event: string;
  readonly deliveryId: string;
  readonly body: string;
  /** Null for a webhook without a signing secret, whose deliveries are unsigned. */
  readonly secret: string | null;
  /** When the attempt is made, in ms. */
  readonly now: number;
}

/** HMAC-SHA256 over `<timestamp>.<raw body>`; the key is the whole text of the secret (decision 136). */
export const signatureOf = (secret: string, timestamp: number, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');

/** The headers of an attempt; timestamp and signature are new each time. */
export function headersOf({ event, deliveryId, body, secret, now }: Attempted): Readonly<Record<string, string>> {
  const timestamp = Math.floor(now / 1_000);
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Core-Webhooks/1',
    'X-Core-Event': event,
    'X-Core-Delivery': deliveryId,
    'X-Core-Timestamp': String(timestamp),
    ...(secret === null ? {} : { 'X-Core-Signature': `t=${timestamp},v1=${signatureOf(secret, timestamp, body)}` }),
  };
}

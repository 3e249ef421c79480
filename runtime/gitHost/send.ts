import { createHmac } from 'node:crypto';
import { isObject } from '../../rules/json.ts';

/** An event for the receiver. */
export interface WebhookMessage {
  readonly id: string;
  readonly event: string;
  readonly repository: string;
  readonly body: string;
}

export const isWebhookMessage = (value: unknown): value is WebhookMessage =>
  isObject(value) && ['id', 'event', 'repository', 'body'].every((field) => typeof value[field] === 'string');

/** The outcome of one attempt to deliver an event. */
export interface Outcome {
  /** The status of the receiver's response; null when there was none. */
  readonly statusCode: number | null;
  readonly error: string | null;
}

const timeoutMs = 10_000;
const maxBytes = 25 * 1_024 * 1_024;

/** Larger than any receiver accepts, so another attempt would change nothing. */
export const isTooLarge = ({ body }: Pick<WebhookMessage, 'body'>) => Buffer.byteLength(body) > maxBytes;

/** `sha256=<hex>` over the body as it is sent. */
const signature = (secret: string, body: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** Sends one signed event; aborts on the signal `stopped`. */
export async function send(
  url: string,
  message: WebhookMessage,
  secret: string,
  stopped: AbortSignal,
): Promise<Outcome> {
  if (isTooLarge(message)) return { statusCode: null, error: 'the payload is larger than 25 MiB' };
  const { id, event, body } = message;
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

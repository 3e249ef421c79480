import type { ServerResponse } from 'node:http';
import { type Status, StatusError, internal } from './status.ts';

/** What is sent back: text at once, or a stream that the verb writes itself. */
export type Answer =
  | { readonly code: number; readonly text: string; readonly mediaType?: string }
  | { readonly stream: (response: ServerResponse) => void };

export const json = (value: unknown, code = 200): Answer => ({ code, text: JSON.stringify(value) });

export const success = (details: object): Status => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  details: { ...details },
});

/** Any failure as the `Status` that tells it; a fault of ours is 500. */
export function statusOf(why: unknown): StatusError {
  if (why instanceof StatusError) return why;
  return internal(why instanceof Error ? why.message : String(why));
}

export function send(response: ServerResponse, answer: Answer, warnings: readonly string[]): void {
  if (warnings.length > 0)
    response.setHeader(
      'Warning',
      warnings.map((text) => `299 - "${text.replace(/[\\"]/g, '\\$&')}"`),
    );
  if ('stream' in answer) return answer.stream(response);
  const body = Buffer.from(answer.text);
  response.writeHead(answer.code, {
    'Content-Type': answer.mediaType ?? 'application/json',
    'Content-Length': body.length,
    'Cache-Control': 'no-cache, private',
  });
  response.end(body);
}

import type { ServerResponse } from 'node:http';
import { stringify } from 'yaml';
import { NoSuchPath, type Status, StatusError, internal } from './status.ts';

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

/** Any failure as it is sent. */
export function refusalOf(why: unknown): Extract<Answer, { readonly code: number }> {
  if (why instanceof NoSuchPath) return { code: 404, text: why.message, mediaType: 'text/plain; charset=utf-8' };
  const { body } = statusOf(why);
  return { code: body.code, text: JSON.stringify(body) };
}

const yamlType = 'application/yaml';

/** An answer of the API as YAML where a client would rather have that. */
export function inWantedType(path: string, accept: string, answer: Answer): Answer {
  if ('stream' in answer || answer.mediaType !== undefined || !/^\/apis?(\/|$)/.test(path)) return answer;
  const wanted = accept.split(',').find((range) => /^\s*(application\/(json|yaml|\*)|\*\/\*)/.test(range));
  if (wanted?.trim().split(';')[0] !== yamlType) return answer;
  const text = stringify(JSON.parse(answer.text), { sortMapEntries: true, indentSeq: false, lineWidth: 0 });
  return { code: answer.code, text, mediaType: yamlType };
}

/**
 * The end of a long answer is held back until the rest has left. Else the next request may come while this answer is still
 * on its way, and over TLS node then pauses its parser, meets more of the request, and breaks the connection.
 */
const tailBytes = 8 * 1_024;

export function send(response: ServerResponse, answer: Answer, warnings: readonly string[]): void {
  if (warnings.length > 0)
    response.setHeader(
      'Warning',
      warnings.map((text) => `299 - "${text.replace(/[\\"]/g, '\\$&')}"`),
    );
  if ('stream' in answer) return answer.stream(response);
  const { code, text, mediaType = 'application/json' } = answer;
  const length = Buffer.byteLength(text);
  response.writeHead(code, {
    'Content-Type': mediaType,
    'Content-Length': length,
    'Cache-Control': 'no-cache, private',
  });
  // A text that goes out with its head is written once.
  if (length <= tailBytes) return void response.end(text);
  const body = Buffer.from(text);
  const head = length - tailBytes;
  response.write(body.subarray(0, head), () => response.end(body.subarray(head)));
}

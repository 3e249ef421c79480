import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, gzip } from 'node:zlib';
import { acceptedCoding } from '../acceptedCoding.ts';
import { numberAt } from './json.ts';
import { NoSuchPath, type Status, StatusError, internal } from './status.ts';
import { type Address, isTrue } from './url.ts';
import type { YamlReader } from './yaml/reader.ts';

/** What is sent back: text at once, or a stream that the verb writes itself. */
export type Answer =
  | {
      readonly code: number;
      readonly text: string;
      readonly mediaType?: string;
      /** Set for a document that clients keep: a client that has it already gets 304 without a body. */
      readonly isKept?: true;
      /** How long it may be kept without asking again; not at all where it is left out. */
      readonly cacheControl?: string;
    }
  | { readonly stream: (response: ServerResponse) => void };

export const json = (value: unknown, code = 200): Answer => ({ code, text: JSON.stringify(value) });

/** A document of the API that clients keep. */
export const kept = (value: unknown, mediaType?: string): Answer => ({
  code: 200,
  text: JSON.stringify(value),
  isKept: true,
  ...(mediaType !== undefined && { mediaType }),
});

export const indented = (value: unknown): string => JSON.stringify(value, null, 2);

export const success = (details: object): Status => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  details: { ...details },
});

/** Any failure as its `Status`; an internal error is 500. */
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

/** When a refused client may ask again; null where the refusal does not say. */
export function retryAfterOf(why: unknown): number | null {
  const seconds = numberAt(statusOf(why).body.details, 'retryAfterSeconds');
  return seconds > 0 ? seconds : null;
}

const yamlType = 'application/yaml';
/** Programs behind which a person reads. */
const isRead = (agent: string) => /^(curl|Wget|Mozilla\/5\.0)/.test(agent);

/** Who is answered, and how that one wants to see it. */
interface Wanted {
  readonly request: Pick<IncomingMessage, 'method' | 'headers'>;
  readonly address: Address;
  readonly yaml: YamlReader;
  readonly sender: string;
}

/** An answer of the API as its client wants to see it: as YAML, or as JSON with indents. */
export async function inWantedType(
  { request: { method, headers }, address: { path, query }, yaml, sender }: Wanted,
  answer: Answer,
): Promise<Answer> {
  if ('stream' in answer || answer.mediaType !== undefined || !/^\/apis?(\/|$)/.test(path)) return answer;
  const { accept = '', 'user-agent': agent = '' } = headers;
  const wanted = accept.split(',').find((range) => /^\s*(application\/(json|yaml|\*)|\*\/\*)/.test(range));
  const pretty = query.get('pretty');
  if (wanted?.trim().split(';')[0] !== yamlType) {
    const isPretty = pretty === null || pretty === '' ? isRead(agent) : isTrue(pretty);
    return isPretty ? { ...answer, text: indented(JSON.parse(answer.text)) } : answer;
  }
  const text = await yaml.write(answer.text, sender).catch((why: unknown) => {
    // What was done already is not refused for the form of its answer.
    if (method === 'GET' && answer.code < 300) throw why;
    return null;
  });
  return text === null ? answer : { code: answer.code, text, mediaType: yamlType };
}

/**
 * The end of a long answer is held back until the rest has left. Else the next request may come while this answer is still
 * on its way, and over TLS node then pauses its parser, meets more of the request, and breaks the connection.
 */
const tailBytes = 8 * 1_024;

export function send(response: ServerResponse, answer: Answer, warnings: readonly string[]): void {
  if (warnings.length > 0) response.setHeader('Warning', warnings);
  if ('stream' in answer) return answer.stream(response);
  const { code, text, mediaType = 'application/json', isKept = false, cacheControl = 'no-cache, private' } = answer;
  if (isKept && isKnown(response, text)) return void response.writeHead(304).end();
  const length = Buffer.byteLength(text);
  response.setHeader('Content-Type', mediaType);
  response.setHeader('Cache-Control', cacheControl);
  // A text that goes out with its head is written once, in the encoding of the text: the bytes of a warning would be torn.
  if (length <= tailBytes && warnings.length === 0)
    return void response.writeHead(code, { 'Content-Length': length }).end(text);
  const body = Buffer.from(text);
  if (length <= tailBytes) return void response.writeHead(code, { 'Content-Length': length }).end(body);
  if (length < leastZipped) return sendLong(response, code, body);
  response.appendHeader('Vary', 'Accept-Encoding');
  if (!isZipWanted(response)) return sendLong(response, code, body);
  gzip(body, { level: constants.Z_BEST_SPEED }, (why, zipped) => {
    // The server may have ended it in the meantime.
    if (response.destroyed || response.writableEnded) return;
    if (!why) response.setHeader('Content-Encoding', 'gzip');
    sendLong(response, code, why ? body : zipped);
  });
}

/** Shorter answers are sent as they are, also to those who can unzip. */
const leastZipped = 128 * 1_024;

const isZipWanted = ({ req }: ServerResponse) => acceptedCoding(req.headers['accept-encoding'], ['gzip']) !== null;

function sendLong(response: ServerResponse, code: number, body: Buffer): void {
  response.writeHead(code, { 'Content-Length': body.length });
  const head = Math.max(0, body.length - tailBytes);
  response.write(body.subarray(0, head), () => response.end(body.subarray(head)));
}

/** Names what is sent by its content, and says whether that is what the client has. */
function isKnown(response: ServerResponse, text: string): boolean {
  const tag = JSON.stringify(createHash('sha256').update(text).digest('hex').toUpperCase());
  response.setHeader('ETag', tag);
  response.setHeader('Vary', 'Accept');
  return response.req.headers['if-none-match'] === tag;
}

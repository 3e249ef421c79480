import type { IncomingMessage } from 'node:http';
import type { Call } from './call.ts';
import { duplicatesOfText } from './duplicates.ts';
import { goQuote } from './goQuote.ts';
import { type Json, isJson } from './json.ts';
import { type JsonReading, readJson } from './jsonText.ts';
import { decodeObject, protobufType } from './protobuf/decode.ts';
import { tooManyValues } from './shape.ts';
import { badRequest, tooLarge, unsupportedMediaType } from './status.ts';

/** The largest body of a request, in bytes. */
export const largestBody = 3 * 1024 * 1024;

/** The whole body; 413 past 3 MiB. */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > largestBody) return Promise.reject(tooLarge(largestBody));
  // By its events: to iterate over a request costs more than most bodies are worth.
  return new Promise((done, failed) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > largestBody) failed(tooLarge(largestBody));
      else chunks.push(chunk);
    });
    request.once('end', () => done(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.once('error', failed);
    request.once('close', () => {
      if (!request.complete) failed(badRequest('the request ended before its body'));
    });
  });
}

/** A body as it was sent; where it may be YAML it is read already. */
export interface Sent {
  readonly bytes: Buffer;
  readonly mediaType: string;
  /** The body as JSON, read when it is first asked for. */
  readonly json: (most?: number) => JsonReading;
  readonly yaml: ReadYaml | null;
}

interface ReadYaml {
  readonly read: JsonReading;
  /** What is said of keys given twice. */
  readonly duplicates: string;
}

/** The body of a request. */
export async function receive(call: Pick<Call, 'request' | 'yaml' | 'pace' | 'sender'>): Promise<Sent> {
  const { request } = call;
  const bytes = await readBody(request);
  await call.pace.next(request);
  const mediaType = mediaTypeOf(request);
  const isYaml = mediaType === yamlType || mediaType === applyType;
  let reading: JsonReading | null = null;
  const json = (most?: number) => (reading ??= readJson(bytes.toString(), most));
  return { bytes, mediaType, json, yaml: isYaml ? await readAsYaml(bytes.toString(), json(), call) : null };
}

/** YAML that is JSON needs no reader of its own, and kubectl applies JSON as YAML. */
async function readAsYaml(
  text: string,
  plain: JsonReading,
  { yaml, sender }: Pick<Call, 'yaml' | 'sender'>,
): Promise<ReadYaml> {
  if (plain.why === undefined && duplicatesOfText(text, plain).length === 0) return { read: plain, duplicates: '' };
  const reading = await yaml.read(text, sender);
  if (reading.why !== undefined && reading.holdsTooMany) throw tooManyValues();
  if (reading.why !== undefined) return { read: reading, duplicates: '' };
  return { read: readJson(reading.json), duplicates: reading.duplicates };
}

/** The media type of the body alone; what names none is JSON. */
const mediaTypeOf = (request: IncomingMessage) =>
  (request.headers['content-type'] ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? '';

const yamlType = 'application/yaml';
export const applyType = 'application/apply-patch+yaml';

const parsers: ReadonlyMap<string, (sent: Sent) => unknown> = new Map([
  ['application/json', parseJson],
  [yamlType, parseYaml],
  [protobufType, ({ bytes }) => decodeObject(bytes)],
]);

/** An object that stands in the body as JSON, YAML or protobuf. */
export function parseObject(sent: Sent): Json {
  const parser = parsers.get(sent.mediaType);
  if (!parser) throw unsupportedMediaType([...parsers.keys()]);
  const value = parser(sent);
  if (!isJson(value)) throw badRequest('the body of the request is not an object');
  return value;
}

function parseJson({ json }: Sent): unknown {
  const read = json();
  if (read.why !== undefined) throw badRequest(`the body of the request is not JSON: ${read.why}`);
  return read.value;
}

export function parseYaml({ json, yaml }: Sent): unknown {
  const read = yaml?.read ?? json();
  if (read.why !== undefined) throw badRequest(`the body of the request is not YAML: ${read.why}`);
  return read.value;
}

/** The duplicate fields of a readable body, as warnings name them. */
export function duplicatesIn({ bytes, mediaType, json, yaml }: Sent): readonly string[] {
  if (yaml !== null) return yaml.duplicates === '' ? [] : [yaml.duplicates];
  if (!mediaType.endsWith('json')) return [];
  const read = json();
  if (read.why !== undefined) return [];
  return duplicatesOfText(bytes.toString(), read).map((path) => `duplicate field ${goQuote(path)}`);
}

import type { IncomingMessage } from 'node:http';
import { YAMLParseError, parse } from 'yaml';
import { type Json, isJson } from './json.ts';
import { badRequest, tooLarge, unsupportedMediaType } from './status.ts';

const largestBody = 3 * 1024 * 1024;

/** The whole body as text; 413 past 3 MiB. */
export async function readBody(request: IncomingMessage): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > largestBody) throw tooLarge(largestBody);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largestBody) throw tooLarge(largestBody);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The media type of the body alone; what names none is JSON. */
export const mediaTypeOf = (request: IncomingMessage) =>
  (request.headers['content-type'] ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? '';

/** An object that stands in the body as JSON or YAML. */
export function parseObject(text: string, mediaType: string): Json {
  const accepted = ['application/json', 'application/yaml'];
  if (!accepted.includes(mediaType)) throw unsupportedMediaType(accepted);
  const value = mediaType === 'application/yaml' ? parseYaml(text) : parseJson(text);
  if (!isJson(value)) throw badRequest('the body of the request is not an object');
  return value;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (why) {
    throw badRequest(`the body of the request is not JSON: ${why instanceof Error ? why.message : String(why)}`);
  }
}

export function parseYaml(text: string): unknown {
  try {
    return parse(text, { uniqueKeys: false });
  } catch (why) {
    if (why instanceof YAMLParseError) throw badRequest(`the body of the request is not YAML: ${why.message}`);
    throw why;
  }
}

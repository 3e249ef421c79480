import type { IncomingMessage } from 'node:http';
import { YAMLParseError, parse } from 'yaml';
import { type Json, isJson } from './json.ts';
import { decodeObject, protobufType } from './protobuf/decode.ts';
import { badRequest, tooLarge, unsupportedMediaType } from './status.ts';

const largestBody = 3 * 1024 * 1024;

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

/** The media type of the body alone; what names none is JSON. */
export const mediaTypeOf = (request: IncomingMessage) =>
  (request.headers['content-type'] ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? '';

const parsers: Readonly<Record<string, (body: Buffer) => unknown>> = {
  'application/json': parseJson,
  'application/yaml': parseYaml,
  [protobufType]: decodeObject,
};

/** An object that stands in the body as JSON, YAML or protobuf. */
export function parseObject(body: Buffer, mediaType: string): Json {
  const parser = parsers[mediaType];
  if (!parser) throw unsupportedMediaType(Object.keys(parsers));
  const value = parser(body);
  if (!isJson(value)) throw badRequest('the body of the request is not an object');
  return value;
}

export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch (why) {
    throw badRequest(`the body of the request is not JSON: ${why instanceof Error ? why.message : String(why)}`);
  }
}

export function parseYaml(body: Buffer): unknown {
  try {
    return parse(body.toString(), { uniqueKeys: false });
  } catch (why) {
    if (why instanceof YAMLParseError) throw badRequest(`the body of the request is not YAML: ${why.message}`);
    throw why;
  }
}

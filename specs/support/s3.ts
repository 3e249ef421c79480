import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface StoredObject {
  readonly text: string;
  readonly contentType: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** What is done with a request in place of serving it. */
export type Fault =
  | { readonly is: 'error'; readonly status: number; readonly code: string; readonly message?: string }
  | { readonly is: 'text'; readonly status: number; readonly body: string }
  | { readonly is: 'silent' }
  | { readonly is: 'reset' };

/** An S3-compatible server on loopback: path-style PUT, GET, HEAD and DELETE of objects. */
export interface S3 {
  readonly url: string;
  /** By `<bucket>/<key>`. */
  readonly objects: Map<string, StoredObject>;
  readonly buckets: Set<string>;
  /** Every request that came, as `<method> <path>`. */
  readonly requests: readonly string[];
  /** The next requests, as many as are given, are answered so; null takes back what is left. */
  readonly fail: (...next: readonly (Fault | null)[]) => void;
  readonly stop: () => Promise<void>;
}

export const accessKeyId = 'AKIATEST';
export const secretAccessKey = 'a-secret-that-nobody-may-see';

export async function startS3(buckets: readonly string[] = ['logs']): Promise<S3> {
  const faults: Fault[] = [];
  const requests: string[] = [];
  const state = { objects: new Map<string, StoredObject>(), buckets: new Set(buckets) };
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const fault = faults.shift();
    if (fault) misbehave(fault, request, response);
    else serve(state, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    ...state,
    requests,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fail: (...next) => {
      for (const fault of next) {
        if (fault === null) faults.length = 0;
        else faults.push(fault);
      }
    },
    stop: () =>
      new Promise((stopped) => {
        server.close(() => stopped());
        server.closeAllConnections();
      }),
  };
}

function misbehave(fault: Fault, request: IncomingMessage, response: ServerResponse): void {
  switch (fault.is) {
    case 'error':
      return refuse(response, fault.status, fault.code, fault.message);
    case 'text':
      response.writeHead(fault.status, { 'content-type': 'text/html' }).end(fault.body);
      return;
    case 'reset':
      request.socket.destroy();
      return;
    case 'silent':
      return;
  }
}

async function serve(
  { objects, buckets }: Pick<S3, 'objects' | 'buckets'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://s3');
  const place = decodeURIComponent(pathname.slice(1));
  const [bucket = ''] = place.split('/');
  const body = await textOf(request);
  const signed = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/[^/]+\/s3\/aws4_request, /.exec(
    request.headers.authorization ?? '',
  );
  if (!signed) return refuse(response, 403, 'AccessDenied');
  if (signed[1] !== accessKeyId) return refuse(response, 403, 'InvalidAccessKeyId');
  if (!buckets.has(bucket)) return refuse(response, 404, 'NoSuchBucket');
  const found = objects.get(place);
  switch (request.method) {
    case 'PUT':
      if (!mayStand(request.headers, found)) return refuse(response, 412, 'PreconditionFailed');
      objects.set(place, {
        text: body,
        contentType: request.headers['content-type'] ?? '',
        metadata: metadataOf(request),
      });
      response.writeHead(200).end();
      return;
    case 'DELETE':
      objects.delete(place);
      response.writeHead(204).end();
      return;
    case 'GET':
    case 'HEAD': {
      if (!found) return refuse(response, 404, 'NoSuchKey');
      const metadata = Object.entries(found.metadata).map(([name, value]) => [`x-amz-meta-${name}`, value]);
      response.writeHead(200, {
        ...Object.fromEntries(metadata),
        'content-type': found.contentType,
        etag: etagOf(found),
        'content-length': Buffer.byteLength(found.text),
      });
      response.end(request.method === 'GET' ? found.text : undefined);
      return;
    }
    default:
      return refuse(response, 405, 'MethodNotAllowed');
  }
}

const etagOf = (object: StoredObject) => `"${createHash('md5').update(JSON.stringify(object)).digest('hex')}"`;

/** Whether the conditions of a write hold for what stands in its place. */
function mayStand(headers: IncomingMessage['headers'], found: StoredObject | undefined): boolean {
  if (headers['if-none-match'] === '*' && found) return false;
  const etag = headers['if-match'];
  return etag === undefined || (found !== undefined && etagOf(found) === etag);
}

function metadataOf({ headers }: IncomingMessage): Record<string, string> {
  const prefix = 'x-amz-meta-';
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith(prefix) && typeof value === 'string' ? [[name.slice(prefix.length), value]] : [],
    ),
  );
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function refuse(response: ServerResponse, status: number, code: string, message = `it is ${code}`): void {
  const xml = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  const isHead = response.req.method === 'HEAD';
  response.writeHead(status, { 'content-type': 'application/xml' }).end(isHead ? undefined : xml);
}

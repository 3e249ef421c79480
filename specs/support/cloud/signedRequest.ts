import { createHash, createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { rootKey } from '../memory/cloud.ts';

/** A request to S3, as it stands on the wire. */
export interface Wire {
  readonly method: string;
  /** The path, encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers that are sent and not signed. */
  readonly unsigned?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** The hash of the body unless another word is given. */
  readonly payload?: string;
  readonly key?: { readonly accessKeyId: string; readonly secret: string };
  /** ms since the epoch. */
  readonly at?: number;
}

export interface Told {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** The code of a refusal. */
  readonly code: string;
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
const dateOf = (ms: number): string => new Date(ms).toISOString().replaceAll(/[-:]|\.\d+/g, '');

/** The key of a day, and its scope. */
function signer({ secret }: { readonly secret: string }, date: string) {
  const scope = `${date.slice(0, 8)}/us-east-1/s3/aws4_request`;
  const key = scope.split('/').reduce((last: string | Buffer, part) => hmac(last, part), `AWS4${secret}`);
  return { scope, sign: (lines: readonly string[]): string => hmac(key, lines.join('\n')).toString('hex') };
}

const queryText = (query: Readonly<Record<string, string>>): string =>
  Object.entries(query)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join('&');

function signatureOf(wire: Wire, query: string, headers: Readonly<Record<string, string>>, payload: string): string {
  const { method, path, key = rootKey, at = Date.now() } = wire;
  const { scope, sign } = signer(key, dateOf(at));
  const names = Object.keys(headers).toSorted();
  const lines = names.map((name) => `${name}:${headers[name] ?? ''}\n`).join('');
  const canonical = [method, path, query, lines, names.join(';'), payload].join('\n');
  return sign(['AWS4-HMAC-SHA256', dateOf(at), scope, sha256(canonical)]);
}

/** The headers of a request, its signature among them. */
export function signedHeaders(
  url: string,
  wire: Wire,
): Readonly<Record<string, string>> & { readonly authorization: string } {
  const { key = rootKey, at = Date.now(), body = '', query = {}, payload = sha256(body) } = wire;
  const named = { host: new URL(url).host, 'x-amz-content-sha256': payload, 'x-amz-date': dateOf(at), ...wire.headers };
  const { scope } = signer(key, dateOf(at));
  const signature = signatureOf({ ...wire, at }, queryText(query), named, payload);
  const signed = Object.keys(named).toSorted().join(';');
  const authorization = `AWS4-HMAC-SHA256 Credential=${key.accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`;
  return { ...named, authorization };
}

/** The query of an address that is signed for some seconds. */
export function presignedQuery(url: string, wire: Wire & { readonly seconds: number }): string {
  const { key = rootKey, at = Date.now(), headers = {}, query = {}, seconds } = wire;
  const { scope } = signer(key, dateOf(at));
  const named = { host: new URL(url).host, ...headers };
  const text = queryText({
    ...query,
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${key.accessKeyId}/${scope}`,
    'X-Amz-Date': dateOf(at),
    'X-Amz-Expires': String(seconds),
    'X-Amz-SignedHeaders': Object.keys(named).toSorted().join(';'),
  });
  return `${text}&X-Amz-Signature=${signatureOf({ ...wire, at }, text, named, 'UNSIGNED-PAYLOAD')}`;
}

/** A body in signed chunks, and after it the signed lines of a trailer. */
export function signedChunks(wire: Wire, seed: string, chunks: readonly Buffer[], trailer: string | null): Buffer {
  const { key = rootKey, at = Date.now() } = wire;
  const { scope, sign } = signer(key, dateOf(at));
  let last = seed;
  const next = (part: string, ...hashes: readonly string[]) =>
    (last = sign([`AWS4-HMAC-SHA256-${part}`, dateOf(at), scope, last, ...hashes]));
  const framed = [...chunks, Buffer.alloc(0)].map((chunk) => {
    const head = `${chunk.length.toString(16)};chunk-signature=${next('PAYLOAD', sha256(''), sha256(chunk))}\r\n`;
    return Buffer.concat([Buffer.from(head), chunk, Buffer.from(chunk.length === 0 ? '' : '\r\n')]);
  });
  const end =
    trailer === null
      ? '\r\n'
      : `${trailer}\r\nx-amz-trailer-signature:${next('TRAILER', sha256(`${trailer}\n`))}\r\n\r\n`;
  return Buffer.concat([...framed, Buffer.from(end)]);
}

/** Sends a request and reads all of what is answered. */
export function sendTo(
  url: string,
  {
    method,
    path,
    headers,
    body = '',
  }: Omit<Wire, 'headers' | 'query'> & {
    readonly headers: Readonly<Record<string, string>>;
  },
): Promise<Told> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const told = Buffer.concat(chunks);
        const [, code = ''] = /<Code>(\w+)<\/Code>/.exec(told.toString()) ?? [];
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: told, code });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Signs a request and sends it. */
export function sendSigned(url: string, wire: Wire): Promise<Told> {
  const { method, path, query = {}, body = '', unsigned = {} } = wire;
  const headers = { ...signedHeaders(url, wire), ...unsigned, 'content-length': String(Buffer.byteLength(body)) };
  const text = queryText(query);
  return sendTo(url, { method, path: text === '' ? path : `${path}?${text}`, headers, body });
}

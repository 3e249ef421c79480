import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';

/** A response: `body` is sent as JSON, a string unchanged. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that is refused with a status and a sentence. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string = STATUS_CODES[status] ?? '', headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** An error in the shape of the supported Git host. */
export const refusalAnswer = ({ status, message, headers }: Refusal): Answer => ({
  status,
  headers,
  body: { message, documentation_url: 'https://docs.github.com/rest', status: String(status) },
});

/** A response as bytes, with its content type. */
export function encoded({ status, body, headers = {} }: Answer): {
  readonly status: number;
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
} {
  if (body === undefined) return { status, bytes: Buffer.alloc(0), headers };
  const isText = typeof body === 'string';
  return {
    status,
    bytes: Buffer.from(isText ? body : JSON.stringify(body)),
    headers: { 'content-type': `${isText ? 'text/plain' : 'application/json'}; charset=utf-8`, ...headers },
  };
}

export const etagOf = (bytes: Buffer) => `W/"${createHash('sha256').update(bytes).digest('hex')}"`;

/** Whether an `If-None-Match` header contains this tag (weak comparison). */
export const matches = (ifNoneMatch: string | undefined, etag: string) =>
  (ifNoneMatch ?? '').split(',').some((one) => one.trim() === '*' || bare(one) === bare(etag));

const bare = (tag: string) => tag.trim().replace(/^W\//, '');

import type { IncomingMessage } from 'node:http';

type Read = { readonly is: 'message'; readonly message: unknown } | { readonly is: 'too long' | 'no JSON' };

/** Read here and not by the library, which would copy it through two streams of the web before it reads it. */
export async function messageIn(request: IncomingMessage, maxBytes: number): Promise<Read> {
  if (Number(request.headers['content-length']) > maxBytes) return { is: 'too long' };
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > maxBytes) return { is: 'too long' };
    parts.push(part);
  }
  try {
    const message: unknown = JSON.parse(Buffer.concat(parts).toString('utf8'));
    return { is: 'message', message };
  } catch {
    return { is: 'no JSON' };
  }
}

import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { refused, Refusal } from '../refusal.ts';
import type { Signed } from './signature.ts';

/** No request but that of an object is longer: a deletion of a thousand keys of a kilobyte each fits. */
const atMost = 4 * 1_024 * 1_024;

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const isHash = (payload: string): boolean => /^[0-9a-f]{64}$/.test(payload);

/** The whole body of a request, once its signature is seen to be right. */
export async function bodyOf(request: IncomingMessage, signed: Signed): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > atMost) throw new Refusal(400, 'MaxMessageLengthExceeded', 'The request is too long');
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  checkHash(signed, hashOf(body));
  return body;
}

/** Refuses a request whose signature or body is not what was signed. */
export function checkHash({ payload, isRightFor }: Signed, bodyHash: string): void {
  if (!isRightFor(bodyHash)) throw refused.wrongSignature();
  if (isHash(payload) && payload !== bodyHash)
    throw new Refusal(400, 'XAmzContentSHA256Mismatch', 'The body is not the one that was signed');
}

/** The bytes of an object: of a body in signed or checksummed chunks, what is in them. */
export const objectBytes = (request: IncomingMessage, { payload }: Signed): AsyncIterable<Buffer> =>
  payload.startsWith('STREAMING-') ? unchunked(request) : request;

/** `<hex size>[;extensions]\r\n<bytes>\r\n`, until a chunk of no bytes. */
async function* unchunked(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  let left = 0;
  let state: 'size' | 'bytes' | 'end' | 'over' = 'size';
  for await (const chunk of bytes) {
    held = Buffer.concat([held, chunk]);
    for (let moved = true; moved;) {
      moved = false;
      if (state === 'size') {
        const end = held.indexOf('\r\n');
        if (end === -1) continue;
        left = Number.parseInt(held.subarray(0, end).toString('latin1'), 16);
        if (!Number.isSafeInteger(left)) throw new Refusal(400, 'IncompleteBody', 'A chunk has no size');
        held = held.subarray(end + 2);
        state = left === 0 ? 'over' : 'bytes';
        moved = true;
      } else if (state === 'bytes' && held.length > 0) {
        const taken = held.subarray(0, left);
        left -= taken.length;
        held = held.subarray(taken.length);
        if (left === 0) state = 'end';
        moved = true;
        yield taken;
      } else if (state === 'end' && held.length >= 2) {
        held = held.subarray(2);
        state = 'size';
        moved = true;
      }
    }
  }
  if (state !== 'over') throw new Refusal(400, 'IncompleteBody', 'The body ends within a chunk');
}

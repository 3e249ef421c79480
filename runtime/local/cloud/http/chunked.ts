import { createHash } from 'node:crypto';
import { Refusal } from '../refusal.ts';
import type { Signed } from './signature.ts';

/** No line between chunks is longer. */
const longestLine = 4_096;

const cut = () => new Refusal(400, 'IncompleteBody', 'The body ends before its last chunk and trailer');

/** Reads lines and bytes of a body as they arrive. */
function readerOf(source: AsyncIterator<Buffer>) {
  let held: Buffer = Buffer.alloc(0);
  /** Whether more data arrived. */
  const more = async (): Promise<boolean> => {
    const { done, value } = await source.next();
    if (done !== true) held = held.length === 0 ? value : Buffer.concat([held, value]);
    return done !== true;
  };
  return {
    /** A line without its end; null at the end of the body. */
    line: async (): Promise<string | null> => {
      let end = held.indexOf('\r\n');
      for (; end === -1; end = held.indexOf('\r\n')) {
        if (held.length > longestLine) throw cut();
        if (!(await more())) {
          if (held.length === 0) return null;
          throw cut();
        }
      }
      const line = held.toString('latin1', 0, end);
      held = held.subarray(end + 2);
      return line;
    },
    bytes: async function* (size: number): AsyncGenerator<Buffer> {
      for (let left = size; left > 0;) {
        if (held.length === 0 && !(await more())) throw cut();
        const taken = held.subarray(0, left);
        held = held.subarray(taken.length);
        left -= taken.length;
        yield taken;
      }
    },
  };
}

/**
 * The bytes of a body in chunks, `<hex size>[;chunk-signature=…]\r\n<bytes>\r\n` until one of no bytes. The lines behind it, `<name>:<value>\r
 * `, are put into `trailer`.
 */
export async function* unchunked(
  body: AsyncIterator<Buffer>,
  { payload, checkChunk }: Signed,
  trailer: Map<string, string>,
): AsyncGenerator<Buffer> {
  const isSigned = payload.startsWith('STREAMING-AWS4-');
  const from = readerOf(body);
  for (;;) {
    const { size, signature } = headOf(await from.line());
    const hash = createHash('sha256');
    for await (const some of from.bytes(size)) {
      if (isSigned) hash.update(some);
      yield some;
    }
    if (isSigned) checkChunk('PAYLOAD', hash.digest('hex'), signature);
    if (size === 0) break;
    if ((await from.line()) !== '') throw cut();
  }
  for (let text = await from.line(); text !== null && text !== ''; text = await from.line()) {
    const at = text.indexOf(':');
    trailer.set(text.slice(0, Math.max(at, 0)).toLowerCase(), text.slice(at + 1).trim());
  }
  if (isSigned && payload.endsWith('-TRAILER')) checkTrailer(trailer, checkChunk);
}

function headOf(line: string | null): { readonly size: number; readonly signature: string } {
  const [, size = '', signature = ''] =
    /^([0-9a-f]{1,12})(?:;chunk-signature=([0-9a-f]{64}))?$/i.exec(line ?? '') ?? [];
  if (size === '') throw cut();
  return { size: Number.parseInt(size, 16), signature };
}

/** The last line of a signed trailer signs those before it. */
function checkTrailer(trailer: Map<string, string>, checkChunk: Signed['checkChunk']): void {
  const name = 'x-amz-trailer-signature';
  const signature = trailer.get(name) ?? '';
  trailer.delete(name);
  const text = [...trailer].map(([key, value]) => `${key}:${value}\n`).join('');
  checkChunk('TRAILER', createHash('sha256').update(text).digest('hex'), signature);
}

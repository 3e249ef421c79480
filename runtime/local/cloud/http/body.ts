import { Refusal } from '../refusal.ts';
import { payloadOf, type Sent } from './payload.ts';

/** The largest request besides objects: a deletion of a thousand keys of a kilobyte each fits. */
const atMost = 4 * 1_024 * 1_024;

/** Reads the whole body of a request and verifies it. */
export async function bodyOf(sent: Sent): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of payloadOf(sent).bytes) {
    size += chunk.length;
    if (size > atMost) throw new Refusal(400, 'MaxMessageLengthExceeded', 'The request is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

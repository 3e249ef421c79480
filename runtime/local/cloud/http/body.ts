import { Refusal } from '../refusal.ts';
import { payloadOf, type Sent } from './payload.ts';

/** No request but that of an object is longer: a deletion of a thousand keys of a kilobyte each fits. */
const atMost = 4 * 1_024 * 1_024;

/** The whole body of a request, once it is seen to be what the request says of it. */
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

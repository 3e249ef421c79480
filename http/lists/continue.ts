import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a list is ordered by, of one row: compared part by part, and different for each row. */
export type Place = readonly (string | number)[];

/** A list as one caller asked for it. */
export interface ListOf {
  /** Its route and what selects its rows. */
  readonly list: string;
  readonly caller: string;
}

/** What a `continue` says: its place, or why it leads nowhere. */
type Opened =
  { readonly is: 'place'; readonly place: Place } | { readonly is: 'of another list' } | { readonly is: 'too old' };

/** Writes and reads `continue`, with a key that all replicas share. */
export interface Continues {
  readonly seal: (of: ListOf, place: Place) => string;
  readonly open: (of: ListOf, text: string) => Opened;
}

/** A page may be followed by the next one for so long. */
export const goodForMs = 5 * 60_000;

const keyIdBytes = 6;
const sealBytes = 16;

/** A key for this purpose alone, so that a `continue` cannot become a session. */
const derived = (secret: Buffer, use: string): Buffer => createHmac('sha256', secret).update(use).digest();

/** Sealed for the list and the caller, neither of which it contains. */
const sealOf = (key: Buffer, { list, caller }: ListOf, content: string): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify([list, caller, content]))
    .digest()
    .subarray(0, sealBytes);

const otherList: Opened = { is: 'of another list' };
const tooOld: Opened = { is: 'too old' };

/** `secret` is the key of the sign-in Secret: a `continue` of one replica is good for the other, and after a restart. */
export function continuesWith(secret: () => Buffer, now: () => number): Continues {
  const keyNow = () => {
    const held = secret();
    return { key: derived(held, 'continue'), id: derived(held, 'continue id').subarray(0, keyIdBytes) };
  };
  return {
    seal: (of, place) => {
      const { key, id } = keyNow();
      const content = JSON.stringify([now() + goodForMs, ...place]);
      return Buffer.concat([id, sealOf(key, of, content), Buffer.from(content)]).toString('base64url');
    },
    open: (of, text) => {
      const { key, id } = keyNow();
      const bytes = Buffer.from(text, 'base64url');
      const [ofKey, seal] = [bytes.subarray(0, keyIdBytes), bytes.subarray(keyIdBytes, keyIdBytes + sealBytes)];
      const content = bytes.subarray(keyIdBytes + sealBytes).toString();
      if (content === '') return otherList;
      // The key has been replaced, and every session with it.
      if (!ofKey.equals(id)) return tooOld;
      if (!timingSafeEqual(seal, sealOf(key, of, content))) return otherList;
      const [until, ...place] = JSON.parse(content) as readonly [number, ...Place];
      return until < now() ? tooOld : { is: 'place', place };
    },
  };
}

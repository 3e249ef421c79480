import { createHash, timingSafeEqual } from 'node:crypto';

export type Random = (bytes: number) => Buffer;

export type TokenKind = 'workspace' | 'project';

/** A token as it is sent (decision 109). */
export interface TokenText {
  readonly kind: TokenKind;
  /** The public identifier. */
  readonly id: string;
  readonly secret: string;
}

const letters = 'abcdefghijklmnopqrstuvwxyz234567';
const idLength = 10;
/** Times 5 bits: the 160 bits of document 002. */
const secretLength = 32;
const prefixes = { workspace: 'gsw', project: 'gsp' } as const satisfies Record<TokenKind, string>;

/** Every letter stands for 5 bits, and a byte has 8: what is over is left out, so that each letter is as likely. */
const draw = (random: Random, length: number): string =>
  Array.from(random(length), (byte) => letters[byte % letters.length]).join('');

export const drawId = (random: Random): string => draw(random, idLength);
export const drawSecret = (random: Random): string => draw(random, secretLength);

export const writeToken = ({ kind, id, secret }: TokenText): string => `${prefixes[kind]}_${id}_${secret}`;

const layout = new RegExp(`^(gsw|gsp)_([a-z2-7]{${idLength}})_([a-z2-7]{${secretLength}})$`);

/** Null for what is no token at all. */
export function readToken(text: string): TokenText | null {
  const [, prefix, id, secret] = layout.exec(text) ?? [];
  if (id === undefined || secret === undefined) return null;
  return { kind: prefix === prefixes.workspace ? 'workspace' : 'project', id, secret };
}

/** What is stored of a secret: its SHA-256, in hexadecimal digits (document 002, Token storage). */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export const isSecretHash = (text: unknown): text is string => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);

/** Of no secret that could be sent: an identifier nobody knows is compared like any other. */
const dummyHash = hashOf('');

/** Whether a secret has the stored hash; as long for a wrong secret, and where no hash is stored. */
export function hasHash(secret: string, stored: string | undefined): boolean {
  const isEqual = timingSafeEqual(Buffer.from(hashOf(secret), 'hex'), Buffer.from(stored ?? dummyHash, 'hex'));
  return isEqual && stored !== undefined;
}

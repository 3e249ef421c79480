import { createHash, timingSafeEqual } from 'node:crypto';

export type Random = (bytes: number) => Buffer;

export type TokenKind = 'workspace' | 'project';

/** The text form of a token (decision 109). */
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

/** Every letter stands for 5 bits of a byte; the other 3 bits are dropped, so that all letters are equally likely. */
const draw = (random: Random, length: number): string =>
  Array.from(random(length), (byte) => letters[byte % letters.length]).join('');

export const drawId = (random: Random): string => draw(random, idLength);
export const drawSecret = (random: Random): string => draw(random, secretLength);

export const writeToken = ({ kind, id, secret }: TokenText): string => `${prefixes[kind]}_${id}_${secret}`;

const layout = new RegExp(`^(gsw|gsp)_([a-z2-7]{${idLength}})_([a-z2-7]{${secretLength}})$`);

/** Null for a text that is no token. */
export function readToken(text: string): TokenText | null {
  const [, prefix, id, secret] = layout.exec(text) ?? [];
  if (id === undefined || secret === undefined) return null;
  return { kind: prefix === prefixes.workspace ? 'workspace' : 'project', id, secret };
}

/** The stored form of a secret: its SHA-256, in hexadecimal digits (document 002, Token storage). */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export const isSecretHash = (text: unknown): text is string => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);

/** The hash of the empty secret, which no token can have: an unknown identifier is compared like any other. */
const dummyHash = hashOf('');

/** Whether a secret has the stored hash; takes equally long for a wrong secret and without a stored hash. */
export function hasHash(secret: string, stored: string | undefined): boolean {
  const isEqual = timingSafeEqual(Buffer.from(hashOf(secret), 'hex'), Buffer.from(stored ?? dummyHash, 'hex'));
  return isEqual && stored !== undefined;
}

import { type KeyObject, createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { type Json, isJson, textAt } from '../json.ts';

/** The pair of keys that tokens are signed with. */
export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** Names the key in the head of a token. */
  readonly id: string;
}

/** The signing key of a private RSA key in PEM. */
export function signingKeyOf(pem: string): SigningKey {
  const privateKey = createPrivateKey(pem);
  const publicKey = createPublicKey(privateKey);
  const id = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
  return { privateKey, publicKey, id };
}

/** The public key as a set of JSON web keys. */
export function keySetOf({ publicKey, id }: SigningKey): Json {
  const { kty, n, e } = publicKey.export({ format: 'jwk' });
  return { keys: [{ use: 'sig', kty, kid: id, alg: 'RS256', n, e }] };
}

const encode = (value: Json) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JSON web token with these claims, signed with RS256. */
export function signed(claims: Json, { privateKey, id }: SigningKey): string {
  const text = `${encode({ alg: 'RS256', kid: id })}.${encode(claims)}`;
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64url')}`;
}

/** What a token claims, believed by nobody yet; null for what is no JSON web token. */
export function claimsOf(token: string): Json | null {
  const [, claims, signature, ...more] = token.split('.');
  return claims === undefined || signature === undefined || more.length > 0 ? null : decoded(claims);
}

/** Whether a token was signed with this key. */
export function isSigned(token: string, { publicKey }: SigningKey): boolean {
  const [head = '', claims = '', signature = ''] = token.split('.');
  if (textAt(decoded(head), 'alg') !== 'RS256') return false;
  return verify('RSA-SHA256', Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, 'base64url'));
}

function decoded(part: string): Json | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return isJson(value) ? value : null;
  } catch {
    return null;
  }
}

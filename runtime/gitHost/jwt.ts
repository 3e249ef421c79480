import { verify } from 'node:crypto';

/** The signer for the application: its id or its client id, with its private key. */
export interface Signer {
  readonly appId: string;
  readonly clientId: string;
  readonly publicKeyPem: string;
}

const longestSeconds = 600;
const skewSeconds = 60;

const parse = (part: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
};

/** The issuer claim of a token, not verified. */
export function issuerOf(jwt: string): string {
  const { iss } = parse(jwt.split('.')[1] ?? '');
  return typeof iss === 'string' || typeof iss === 'number' ? String(iss) : '';
}

/** Why a token is not valid for the application at `nowSeconds`; null when it is. */
export function refusalOfJwt(jwt: string, signer: Signer, nowSeconds: number): string | null {
  const [header = '', claims = '', signature = '', ...more] = jwt.split('.');
  const signed = Buffer.from(`${header}.${claims}`);
  const isSigned =
    more.length === 0 &&
    parse(header)['alg'] === 'RS256' &&
    verify('RSA-SHA256', signed, signer.publicKeyPem, Buffer.from(signature, 'base64url'));
  if (!isSigned) return 'A JSON web token could not be decoded';
  const { iss, iat, exp } = parse(claims);
  if (![signer.appId, signer.clientId].includes(String(iss)))
    return "'Issuer' claim ('iss') must be the application's id";
  if (typeof exp !== 'number' || exp <= nowSeconds)
    return "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires";
  if (exp > nowSeconds + longestSeconds) return "'Expiration time' claim ('exp') is too far in the future";
  if (typeof iat !== 'number' || iat > nowSeconds + skewSeconds)
    return "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued";
  return null;
}

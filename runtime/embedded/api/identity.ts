import { generateKeyPair as generateKeyPairLater, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isLasting, isUsable } from '../certificateNames.ts';
import type { Certificates } from '../certificates.ts';
import { keptFile, orMadeAnew, textsIn } from '../keptFile.ts';
import { checkCertificates, checkKeys } from '../keyPair.ts';
import { writePrivate } from '../privateFile.ts';
import { makeFolder } from '../makeFolder.ts';

const generateKeyPair = promisify(generateKeyPairLater);

/**
 * The certificates kept in the data directory; a new one when there is none, it runs out or lacks a host. The authority stays
 * as long as it lasts.
 */
export async function keptCertificates(dataDir: string, hosts: readonly string[]): Promise<Certificates> {
  const dir = join(dataDir, 'pki');
  makeFolder(dir, 0o700);
  const path = join(dir, 'certificates.json');
  const kept = existsSync(path) ? keptFile(path, certificatesIn, orMadeAnew) : undefined;
  if (kept && isUsable(kept.certificate, hosts)) return kept;
  // Read when one is needed: the library that signs takes long to load.
  const { issueCertificates } = await import('../certificates.ts');
  const fresh = await issueCertificates(hosts, kept && isLasting(kept.ca) ? kept : undefined);
  writePrivate(path, JSON.stringify(fresh));
  return fresh;
}

/** The private key that the tokens of service accounts are signed with, in PEM. */
export async function keptSigningKey(dataDir: string): Promise<string> {
  const dir = join(dataDir, 'pki');
  makeFolder(dir, 0o700);
  const path = join(dir, 'service-accounts.key');
  if (existsSync(path)) return keptFile(path, signingKeyIn, orMadeAnew);
  const { privateKey } = await generateKeyPair('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  writePrivate(path, pem);
  return pem;
}

function certificatesIn(text: string): Certificates {
  const kept = textsIn(text, ['ca', 'caKey', 'certificate', 'key']);
  checkCertificates(kept);
  return kept;
}

function signingKeyIn(text: string): string {
  checkKeys(text);
  return text;
}

const tokenBytes = 32;

function tokenIn(text: string): string {
  const token = text.trimEnd();
  if (/^[\w-]{43}$/.test(token)) return token;
  throw new Error(`it holds no token of ${tokenBytes} bytes in base64url`);
}

/** The bearer token of the admin. */
export function keptToken(dataDir: string): string {
  const path = join(dataDir, 'token');
  if (existsSync(path)) return keptFile(path, tokenIn, orMadeAnew);
  const fresh = randomBytes(tokenBytes).toString('base64url');
  writePrivate(path, `${fresh}\n`);
  return fresh;
}

import { generateKeyPair as generateKeyPairLater, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { parseDocument, stringify } from 'yaml';
import { program, systemNamespace } from '../../../crds/names.ts';
import { isUsable } from '../certificateNames.ts';
import type { Certificates } from '../certificates.ts';
import { keptFile, orMadeAnew, textsIn } from '../keptFile.ts';
import { checkCertificates, checkKeys } from '../keyPair.ts';
import { at, listAt, textAt } from './json.ts';

const generateKeyPair = promisify(generateKeyPairLater);

/** Writes a file that only its owner may read, whole or not at all. */
function writePrivate(path: string, text: string) {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  chmodSync(`${path}.new`, 0o600);
  renameSync(`${path}.new`, path);
}

/** The certificates kept in the data directory; new ones when there are none, they run out or lack a host. */
export async function keptCertificates(dataDir: string, hosts: readonly string[]): Promise<Certificates> {
  const dir = join(dataDir, 'pki');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const path = join(dir, 'certificates.json');
  if (existsSync(path)) {
    const kept = keptFile(path, certificatesIn, orMadeAnew);
    if (isUsable(kept.certificate, hosts)) return kept;
  }
  // Read when one is needed: the library that signs takes long to load.
  const { issueCertificates } = await import('../certificates.ts');
  const fresh = await issueCertificates(hosts);
  writePrivate(path, JSON.stringify(fresh));
  return fresh;
}

/** The private key that the tokens of service accounts are signed with, in PEM. */
export async function keptSigningKey(dataDir: string): Promise<string> {
  const dir = join(dataDir, 'pki');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
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

interface Door {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

/** Whether a kubeconfig still finds the server, with a token that it knows. */
function leadsTo(text: string, { cluster, token }: { readonly cluster: object; readonly token: string }): boolean {
  const document = parseDocument(text);
  const named = (list: string, field: string): unknown => {
    const found = listAt(document.toJS(), list).find((one) => textAt(one, 'name') === program);
    return at(found, field);
  };
  return (
    document.errors.length === 0 &&
    isDeepStrictEqual(named('clusters', 'cluster'), cluster) &&
    isDeepStrictEqual(named('users', 'user'), { token })
  );
}

/** Writes a file that kubectl and client-node find the server with; its absolute path. */
export function writeKubeconfig(dataDir: string, { url, ca, token }: Door, file = 'kubeconfig'): string {
  const path = resolve(dataDir, file);
  const cluster = { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  const context = { cluster: program, user: program, namespace: systemNamespace };
  const text = stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: program, cluster }],
    users: [{ name: program, user: { token } }],
    contexts: [{ name: program, context }],
    'current-context': program,
  });
  // What else a user keeps there, such as another namespace, stays; and a full disk must not keep the server from starting.
  if (!existsSync(path) || !leadsTo(readFileSync(path, 'utf8'), { cluster, token })) writePrivate(path, text);
  return path;
}

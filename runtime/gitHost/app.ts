import { generateKeyPair as generateKeyPairLater, randomBytes } from 'node:crypto';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkKeys, keptFile, textsIn } from '../embedded/index.ts';

const generateKeyPair = promisify(generateKeyPairLater);

/** The platform's application at the embedded Git host, whose keys both sides know. */
export interface GitApp {
  readonly appId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly slug: string;
  readonly privateKeyPem: string;
  readonly publicKeyPem: string;
  readonly webhookSecret: string;
}

const fields = [
  'appId',
  'clientId',
  'clientSecret',
  'slug',
  'privateKeyPem',
  'publicKeyPem',
  'webhookSecret',
] as const satisfies readonly (keyof GitApp)[];

async function register(): Promise<GitApp> {
  const { privateKey, publicKey } = await generateKeyPair('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return {
    appId: '1',
    clientId: 'Iv1.embedded',
    clientSecret: randomBytes(20).toString('hex'),
    slug: 'core',
    privateKeyPem: privateKey,
    publicKeyPem: publicKey,
    webhookSecret: randomBytes(20).toString('hex'),
  };
}

const pathIn = (dataDir: string) => join(dataDir, 'git-app.json');

/** The application that the first start stored in the data directory. */
export function keptGitApp(dataDir: string): GitApp | undefined {
  const path = pathIn(dataDir);
  return existsSync(path) ? keptFile(path, appIn) : undefined;
}

function appIn(text: string): GitApp {
  const app = textsIn(text, fields);
  checkKeys(app.privateKeyPem, app.publicKeyPem);
  for (const name of ['clientSecret', 'webhookSecret'] as const)
    if (!/^[0-9a-f]{40}$/.test(app[name])) throw new Error(`its ${name} is not whole`);
  return app;
}

/** Registers the application and stores it in the data directory. */
export async function newGitApp(dataDir: string): Promise<GitApp> {
  const path = pathIn(dataDir);
  const app = await register();
  writeFileSync(`${path}.new`, JSON.stringify(app), { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return app;
}

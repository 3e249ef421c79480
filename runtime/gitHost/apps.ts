import { generateKeyPair as generateKeyPairLater, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isObject } from '../../rules/json.ts';
import { issuerOf, type Signer } from './jwt.ts';
import { readState, savedTo } from './stateFile.ts';

const generateKeyPair = promisify(generateKeyPairLater);

/** The application in the responses of the Git host. */
export interface ShownApp {
  readonly appId: string;
  readonly clientId: string;
  readonly slug: string;
}

/** An application at the Git host, with its public key only. */
export interface HostApp extends Signer, ShownApp {
  readonly webhookSecret: string;
}

/** The used fields of an application manifest; the others have no effect on one machine. */
export interface Manifest {
  readonly name: string;
  readonly redirectUrl: string;
}

/** A new application, with the secrets that are shown only once. */
interface MadeApp extends HostApp {
  readonly clientSecret: string;
  readonly privateKeyPem: string;
}

/**
 * The platform's applications: that of the start, and those created from manifests, of which the newest is installed.
 */
export interface Apps {
  readonly newest: () => HostApp;
  /** The application that issued a token, by its claim. */
  readonly of: (jwt: string) => HostApp;
  /** Returns a code for a new application, valid once within an hour. */
  readonly promise: (manifest: Manifest) => string;
  /** Creates the application of a code; null for an unknown code. */
  readonly make: (code: string) => Promise<MadeApp | null>;
}

const texts = ['appId', 'clientId', 'slug', 'publicKeyPem', 'webhookSecret'] as const satisfies (keyof HostApp)[];
const areApps = (value: unknown): value is readonly HostApp[] =>
  Array.isArray(value) && value.every((one) => isObject(one) && texts.every((field) => typeof one[field] === 'string'));

const codeLastsMs = 3_600_000;
const maxCodes = 100;

const slugOf = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '') || 'application';

async function keyed(appId: string, { name }: Manifest): Promise<MadeApp> {
  const { privateKey, publicKey } = await generateKeyPair('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return {
    appId,
    clientId: `Iv1.embedded${appId}`,
    slug: slugOf(name),
    publicKeyPem: publicKey,
    webhookSecret: randomBytes(20).toString('hex'),
    clientSecret: randomBytes(20).toString('hex'),
    privateKeyPem: privateKey,
  };
}

export function madeAppsIn(folder: string, first: HostApp): Apps {
  const path = join(folder, 'apps.json');
  const made = [...readState(path, [], areApps)];
  const save = savedTo(path, () => made);
  const codes = new Map<string, { readonly manifest: Manifest; readonly until: number }>();

  const newest = () => made.at(-1) ?? first;
  return {
    newest,
    of: (jwt) => {
      const issuer = issuerOf(jwt);
      return made.find(({ appId, clientId }) => [appId, clientId].includes(issuer)) ?? first;
    },
    promise: (manifest) => {
      const code = randomBytes(20).toString('hex');
      const [oldest] = codes.keys();
      if (codes.size >= maxCodes && oldest !== undefined) codes.delete(oldest);
      codes.set(code, { manifest, until: Date.now() + codeLastsMs });
      return code;
    },
    make: async (code) => {
      const promised = codes.get(code);
      codes.delete(code);
      if (promised === undefined || promised.until <= Date.now()) return null;
      const { privateKeyPem, clientSecret, ...app } = await keyed(String(made.length + 2), promised.manifest);
      made.push(app);
      await save();
      return { ...app, privateKeyPem, clientSecret };
    },
  };
}

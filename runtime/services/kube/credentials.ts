import { defined } from '../../../rules/defined.ts';
import type { RequestOptions } from 'node:https';
import type { ConnectionOptions, SecureContextOptions } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import type { KubeConfig } from '@kubernetes/client-node/dist/config.js';

/** Credentials may be renewed externally (a projected token, an exec plugin), so they are reread after this time. */
const credentialsKeptMs = 60_000;

/** The API server derives the field manager from this when a write names none. */
export const userAgent = 'core';

/** TLS settings that verify the API server and authenticate this process. */
export type Tls = Pick<SecureContextOptions, 'ca' | 'cert' | 'key' | 'pfx' | 'passphrase'> &
  Pick<ConnectionOptions, 'servername' | 'rejectUnauthorized'>;

/** The credentials of this process for the API server. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: Tls;
  readonly until: number;
}

async function credentialsOf(config: KubeConfig): Promise<Credentials> {
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  const { ca, cert, key, pfx, passphrase, servername, rejectUnauthorized, auth } = options;
  const headers = { ...(options.headers as Record<string, string> | undefined) };
  if (auth) headers['Authorization'] = `Basic ${Buffer.from(auth).toString('base64')}`;
  const tls = defined({ ca, cert, key, pfx, passphrase, servername, rejectUnauthorized });
  return { headers, tls, until: performance.now() + credentialsKeptMs };
}

/** The API server of a kubeconfig, and its current credentials. */
export interface CredentialSource {
  readonly origin: string;
  /** The path prefix of the API. */
  readonly prefix: string;
  /** The current credentials, if they are fresh. */
  readonly known: () => Credentials | undefined;
  readonly current: () => Promise<Credentials>;
  /** The credentials that replace refused ones; null when the kubeconfig has no others. */
  readonly replaced: (refused: Credentials) => Promise<Credentials | null>;
}

export function makeCredentials(first: KubeConfig, renewed: () => KubeConfig): CredentialSource {
  const server = first.getCurrentCluster()?.server;
  if (server === undefined) throw new Error('the kubeconfig names no cluster');
  const { origin, pathname } = new URL(server);
  const prefix = pathname.replace(/\/+$/, '');
  let config = first;
  let credentials: Promise<Credentials> | undefined;
  let last: Credentials | undefined;

  const known = () => (last && last.until > performance.now() ? last : undefined);
  const current = async () => {
    const reading = credentials;
    const read = known() ?? (await reading?.catch(() => undefined));
    if (read && read.until > performance.now()) {
      if (reading === credentials) last = read;
      return read;
    }
    credentials = credentialsOf(config);
    return credentials;
  };
  const replaced = async (refused: Credentials): Promise<Credentials | null> => {
    if ((await current()) === refused) {
      config = renewed();
      last = credentials = undefined;
    }
    const next = await current();
    return isDeepStrictEqual(next.headers, refused.headers) ? null : next;
  };

  return { origin, prefix, known, current, replaced };
}

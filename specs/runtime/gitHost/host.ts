import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../support/until.ts';
import { type RunningGitHost, startGitHost } from '../../../runtime/gitHost/server.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

export const app = {
  appId: '1',
  clientId: 'Iv1.test',
  slug: 'core',
  privateKeyPem: privateKey,
  publicKeyPem: publicKey,
  webhookSecret: 'the webhook secret',
};

/** A Git host in a folder of its own, with a receiver of its events. */
export interface Host extends RunningGitHost {
  readonly received: readonly Received[];
  /** What the receiver answers. */
  readonly answer: (status: number) => void;
  readonly listen: (listening: boolean) => void;
  readonly logged: readonly string[];
  /** A request to the REST API with a token of the installation. */
  readonly api: (path: string, init?: RequestInit) => Promise<Response>;
  readonly token: () => Promise<string>;
  readonly dataDir: string;
  /** Stops it and starts it over the same folder. */
  readonly restart: () => Promise<void>;
  /** Starts it anew over what a process leaves that dies in the middle of a push: git went on with `work`, unseen. */
  readonly killed: (repository: string, work: () => Promise<unknown>) => Promise<void>;
  readonly end: () => Promise<void>;
}

export interface Received {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** A token that the application signed itself. */
export function jwt(claims: Readonly<Record<string, unknown>> = {}, key: string = app.privateKeyPem): string {
  const now = Math.floor(Date.now() / 1_000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ iat: now - 30, exp: now + 500, iss: '1', ...claims })}`;
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), key).toString('base64url')}`;
}

async function startReceiver() {
  const received: Received[] = [];
  let status = 202;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, text: Buffer.concat(chunks).toString('utf8') });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/git`,
    answer: (next: number) => void (status = next),
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

export async function startHost(): Promise<Host> {
  const dataDir = mkdtempSync(join(tmpdir(), 'core-git-host-'));
  const receiver = await startReceiver();
  const logged: string[] = [];
  let listening = true;
  const start = () =>
    startGitHost({
      dataDir,
      host: '127.0.0.1',
      port: 0,
      app,
      webhookUrl: () => (listening ? receiver.url : null),
      log: (message, fields) => void logged.push(`${message} ${JSON.stringify(fields)}`),
    });
  let running = await start();
  const startAgain = async () => {
    running = await start();
    // Connections kept open to the one before fail once.
    await until(() => fetch(running.url).then(Boolean, () => false), 'the Git host answers again');
  };
  let issued: Promise<string> | undefined;
  const token = () => (issued ??= issueToken(running.apiUrl));
  return {
    ...running,
    dataDir,
    received: receiver.received,
    answer: receiver.answer,
    listen: (on) => void (listening = on),
    logged,
    token,
    api: async (path, init = {}) => {
      const headers = new Headers(init.headers);
      headers.set('authorization', `Bearer ${await token()}`);
      return fetch(`${running.apiUrl}${path}`, { ...init, headers });
    },
    restart: async () => {
      await running.stop();
      await startAgain();
    },
    killed: async (repository, work) => {
      await running.stop();
      const told = join(dataDir, 'told', `${repository}.json`);
      writeFileSync(told, JSON.stringify({ ...(JSON.parse(readFileSync(told, 'utf8')) as object), open: true }));
      await work();
      await startAgain();
    },
    end: async () => {
      await running.stop();
      receiver.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function issueToken(apiUrl: string): Promise<string> {
  const response = await fetch(`${apiUrl}/app/installations/1/access_tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${jwt()}` },
  });
  return ((await response.json()) as { readonly token: string }).token;
}

/** A request with a JSON body and no token. */
export const send = (url: string, method: string, body?: unknown): Promise<Response> =>
  fetch(url, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });

export const json = async (response: Response): Promise<Record<string, unknown>> =>
  (await response.json()) as Record<string, unknown>;

import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { kinds } from '../../../crds/kinds.ts';
import { manifestFile } from '../../../crds/manifestFile.ts';
import { clusterOptions } from '../../../runtime/local/clusterOptions.ts';
import { type Json, isJson } from '../../../runtime/embedded/api/json.ts';
import type { PodLogs } from '../../../runtime/embedded/api/podLogs.ts';
import type { PodProcesses } from '../../../runtime/embedded/api/podProcesses.ts';
import type { Webhook } from '../../../runtime/embedded/api/admission/webhooks.ts';
import { type Api, startApi } from '../../../runtime/embedded/api/server.ts';

export interface Reply {
  readonly code: number;
  readonly body: Json;
  readonly warning: string;
  readonly type: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as it came. */
  readonly text: string;
}

export interface Sent {
  readonly body?: unknown;
  readonly type?: string;
  readonly accept?: string;
  /** Empty for none. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly agent?: Agent;
}

/** A running API with a client that says what it got. */
export interface Started extends Api {
  readonly dataDir: string;
  readonly send: (method: string, path: string, sent?: Sent) => Promise<Reply>;
  readonly watch: (path: string, accept?: string) => Promise<Watch>;
  readonly end: () => Promise<void>;
}

interface Watch {
  /** The next events, as many as asked for; fails when they do not come. */
  readonly next: (count: number) => Promise<readonly Json[]>;
  readonly ended: Promise<void>;
  readonly stop: () => void;
}

export const core = '/apis/core.platform/v1alpha1/namespaces/core-system';
export const inSystem = '/api/v1/namespaces/core-system';
const patienceMs = 120_000;

export async function started(
  options: {
    readonly podLogs?: PodLogs;
    readonly podProcesses?: PodProcesses;
    readonly dataDir?: string;
    readonly port?: number;
    readonly webhooks?: readonly Webhook[];
  } = {},
): Promise<Started> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'core-api-'));
  const api = await startApi({
    ...clusterOptions,
    dataDir,
    host: '127.0.0.1',
    port: options.port ?? 0,
    ...(options.podLogs && { podLogs: options.podLogs }),
    ...(options.podProcesses && { podProcesses: options.podProcesses }),
    ...(options.webhooks && { webhooks: options.webhooks }),
  });
  const ownAgent = new Agent({ keepAlive: true, ca: api.caPem });

  function open(method: string, path: string, sent: Sent) {
    const { body, type = 'application/json', accept, token = api.token, agent = ownAgent } = sent;
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    return new Promise<IncomingMessage>((done, failed) => {
      const headers = {
        ...(token !== '' && { Authorization: `Bearer ${token}` }),
        Accept: accept ?? 'application/json',
        ...(text !== undefined && { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) }),
        ...sent.headers,
      };
      const asked = request(`${api.url}${path}`, { method, agent, headers }, done);
      asked.once('error', failed);
      asked.end(text);
    });
  }

  async function send(method: string, path: string, sent: Sent = {}): Promise<Reply> {
    const response = await open(method, path, sent);
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
    const { 'content-type': type = '', warning = '' } = response.headers;
    const body: unknown = type.includes('json') ? JSON.parse(text) : { text };
    const { statusCode: code = 0, headers } = response;
    return { code, body: isJson(body) ? body : {}, warning, type, headers, text };
  }

  async function watch(path: string, accept?: string): Promise<Watch> {
    const response = await open('GET', path, accept === undefined ? {} : { accept });
    return follow(response);
  }

  async function end() {
    ownAgent.destroy();
    await api.stop();
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true });
  }
  return { ...api, dataDir, send, watch, end };
}

function follow(response: IncomingMessage): Watch {
  const events: Json[] = [];
  let taken = 0;
  let rest = '';
  let heard = () => {};
  response.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    events.push(...lines.map((line) => JSON.parse(line) as Json));
    heard();
  });
  const ended = new Promise<void>((done) => response.once('close', done));
  return {
    next: (count) =>
      new Promise((done, failed) => {
        const late = setTimeout(
          () => failed(new Error(`${events.length - taken} of ${count} events came`)),
          patienceMs,
        );
        heard = () => {
          if (events.length < taken + count) return;
          clearTimeout(late);
          heard = () => {};
          taken += count;
          done(events.slice(taken - count, taken));
        };
        heard();
      }),
    ended,
    stop: () => void response.destroy(),
  };
}

/** Our own kinds as the schemas define them, whether the files of them were generated anew or not. */
export const manifests: readonly Json[] = kinds.map((kind) => parse(manifestFile(kind).text) as Json);

export async function install({ send }: Started): Promise<void> {
  for (const body of manifests) await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body });
}

export const build = (name: string, spec: Json = {}, metadata: Json = {}): Json => ({
  apiVersion: 'core.platform/v1alpha1',
  kind: 'CoreBuild',
  metadata: { name, ...metadata },
  spec: { app: 'hello', project: 'shop', environment: 'production', ...spec },
});

export const configMap = (name: string, data: Json = {}, metadata: Json = {}): Json => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});

export const merge = 'application/merge-patch+json';

/** Waits until something holds. */
export async function eventually(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + patienceMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`never so: ${what}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

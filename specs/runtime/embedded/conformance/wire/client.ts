import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { KubeConfig } from '@kubernetes/client-node';
import { parse } from 'yaml';
import { type Json, isJson } from '../../../../../runtime/embedded/api/json.ts';
import { type Ask, json } from './scene.ts';

/** What came back, as it was. */
export interface Reply {
  readonly code: number;
  readonly type: string;
  readonly warnings: readonly string[];
  readonly body: Json;
}

/** Speaks to one API server, as it is asked to and not as a library would. */
export interface Client {
  readonly send: (ask: Ask) => Promise<Reply>;
  readonly end: () => void;
}

/** A client of the current context of a kubeconfig. */
export async function clientOf(kubeconfigPath: string): Promise<Client> {
  const config = new KubeConfig();
  config.loadFromString(readFileSync(kubeconfigPath, 'utf8'));
  const server = config.getCurrentCluster()?.server ?? '';
  const options: Parameters<typeof request>[1] = {};
  await config.applyToHTTPSOptions(options);
  const { ca, cert, key, rejectUnauthorized, headers: login } = options;
  const agent = new Agent({ keepAlive: true, ca, cert, key, rejectUnauthorized: rejectUnauthorized ?? true });

  function open({ method, path, body, type = json, accept = json }: Ask) {
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    return new Promise<IncomingMessage>((done, failed) => {
      const headers = {
        ...(isJson(login) && login),
        Accept: accept,
        'User-Agent': 'conformance/1',
        ...(text !== undefined && { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) }),
      };
      const sent = request(`${server}${path}`, { method, agent, headers }, done);
      sent.once('error', failed);
      sent.end(text);
    });
  }

  async function send(ask: Ask): Promise<Reply> {
    const response = await open(ask);
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
    const { 'content-type': type = '', warning = '' } = response.headers;
    const warnings = warning === '' ? [] : warning.split(/, (?=299 )/);
    return { code: response.statusCode ?? 0, type, warnings, body: bodyOf(ask, type, text) };
  }
  return { send, end: () => agent.destroy() };
}

/** A watch's body is the list of what it told. */
function bodyOf({ path }: Ask, type: string, text: string): Json {
  if (type.includes('yaml')) return bodyAs(parse(text));
  if (!type.includes('json')) return { text };
  if (/[?&]watch=1|\/v1\/watch\//.test(path) && !text.startsWith('{"kind":"Status"'))
    return {
      events: text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as unknown),
    };
  return bodyAs(JSON.parse(text));
}

const bodyAs = (value: unknown): Json => (isJson(value) ? value : { value });

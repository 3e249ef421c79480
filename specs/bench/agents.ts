import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import type { NewApiToken } from '../../http/api.ts';
import { askJson } from '../support/askJson.ts';
import { type Product, root } from '../support/product.ts';
import { until } from '../support/until.ts';
import { type Line, times } from './line.ts';
import { startMs } from './starts.ts';

const rounds = 9;
const callsARound = 200;

const begin = (id: number, method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id, method, params });
const initialize = begin(1, 'initialize', {
  protocolVersion: '2025-03-26',
  capabilities: {},
  clientInfo: { name: 'a bench', version: '1' },
});

const addressOf = ({ endpoints }: Product): string => (endpoints.dashboard ?? '').replace(/\/$/, '');

const agentsOf = (product: Product, token: string, flags: readonly string[]): ChildProcess =>
  spawn(process.execPath, [`${root}/dist/core.js`, 'mcp', '--url', addressOf(product), ...flags], {
    env: { PATH: process.env['PATH'], CORE_CONFIG: '/nonexistent/core.json', CORE_TOKEN: token },
    stdio: ['pipe', 'pipe', 'pipe'],
  });

/** From the start of the program to its first list of tools. */
async function firstListMs(product: Product, token: string): Promise<number> {
  const startedAt = performance.now();
  const child = agentsOf(product, token, []);
  child.stdin?.write(`${initialize}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n`);
  child.stdin?.write(`${begin(2, 'tools/list', {})}\n`);
  if (child.stdout === null) throw new Error('it has no output');
  for await (const line of createInterface(child.stdout)) if (line.includes('"tools":[')) break;
  const ms = performance.now() - startedAt;
  child.stdin?.end();
  if (child.exitCode === null) await once(child, 'exit');
  return ms;
}

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly token: string;
  readonly body?: string;
}

/** Sends a request and reads its whole answer. */
const exchange = ({ url, method, token, body }: Sent, agent: Agent): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    request(url, { agent, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => {
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${url} answered ${response.statusCode}: ${text}`));
      });
    })
      .on('error', reject)
      .end(body);
  });

async function msOfOne(sent: Sent, count = callsARound): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const startedAt = performance.now();
  for (let call = 0; call < count; call++) await exchange(sent, agent);
  agent.destroy();
  return (performance.now() - startedAt) / count;
}

/** The start of the agent server, without the two answers of the API that it waits for. */
async function starting(product: Product, token: string): Promise<Line> {
  const reads = ['/me', '/openapi.json'].map((path) => `${addressOf(product)}/api/v1${path}`);
  const [bare, ours, api]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    bare.push(startMs(['-e', '0']));
    ours.push(await firstListMs(product, token));
    let ms = 0;
    for (const url of reads) ms += await msOfOne({ url, method: 'GET', token }, 1);
    api.push(ms);
  }
  const besides = Math.min(...ours) - Math.min(...api);
  const ratio = besides / Math.min(...bare);
  return {
    what: 'core mcp to its first list of tools besides the API, against an empty node',
    figure: `${times(ratio)} (${Math.round(besides)} ms)`,
    budget: '≤ 3.5 ×',
    holds: ratio <= 3.5,
  };
}

/** A tool that is called over HTTP, with the question who calls that goes before it, against the call of the API. */
async function calling(product: Product, token: string): Promise<Line> {
  const child = agentsOf(product, token, ['--listen', '127.0.0.1:0']);
  let told = '';
  child.stderr?.on('data', (text: Buffer) => (told += text.toString()));
  const url = await until(() => /Listening on (\S+)/.exec(told)?.[1], 'the agent server listens');
  const body = begin(3, 'tools/call', { name: 'list_apps', arguments: {} });
  const tool = { url, method: 'POST', token, body };
  const route = { url: `${addressOf(product)}/api/v1/apps`, method: 'GET', token };
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    bare.push(await msOfOne(route));
    ours.push(await msOfOne(tool));
  }
  child.kill('SIGTERM');
  await once(child, 'exit');
  const ratio = Math.min(...ours) / Math.min(...bare);
  return {
    what: 'a tool called over HTTP, against the call of the API that it makes',
    figure: `${times(ratio)} (${Math.min(...ours).toFixed(2)} ms)`,
    budget: '≤ 2.5 ×',
    holds: ratio <= 2.5,
  };
}

/** The figures of the agent server. */
export async function agentFigures(product: Product): Promise<readonly Line[]> {
  const { token } = await askJson<NewApiToken>(product, 'POST', '/tokens', { name: 'agents', role: 'admin' });
  return [await starting(product, token), await calling(product, token)];
}

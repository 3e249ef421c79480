import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import * as fc from 'fast-check';
import { makeClient } from '../../http/apiClient/client.ts';
import { makeTransport } from '../../http/apiClient/transport.ts';
import { listen } from '../../http/mcp/listen.ts';
import { tools } from '../../http/mcp/tools/all.ts';
import { statusOf, summary } from '../http/cli/cases.ts';
import { type Answer, scriptedServer } from '../http/cli/scripted.ts';
import { root } from '../support/product.ts';

/** What of an agent's message went wrong. */
interface MessageFinding {
  readonly message: string;
  readonly why: string;
}

const token = 'secret-token';
const answeredWithinMs = 20_000;
const aBatch = 50;

const words = ['', 'web', '..', '-1', '__proto__', 'constructor', '\u0000', '\u2028', 'ü', '{}', 'x'.repeat(70_000)];
const value = fc.oneof(
  fc.constantFrom(...words, 0, -1, 1.5, 1e300, true, null, [], {}, { toJSON: 1 }),
  fc.jsonValue({ maxDepth: 3 }),
);
const fitting: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(
    ['name', 'app', 'project', 'environment', 'confirmName', 'archive', 'machine'].map((of) => [of, 'web']),
  ),
  kind: 'apps',
  key: 'KEY',
  value: 'a value',
  replicas: 1,
  seconds: 60,
};
/** Arguments of a tool: right ones, some of its own, or none of it. */
const calls = fc.constantFrom(...tools).chain(({ name, input }) =>
  fc.record({
    name: fc.oneof({ weight: 9, arbitrary: fc.constant(name) }, value),
    arguments: fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constant(Object.fromEntries(Object.entries(fitting).filter(([of]) => Object.hasOwn(input, of)))),
      },
      { weight: 3, arbitrary: fc.dictionary(fc.constantFrom('more', ...Object.keys(input)), value, { maxKeys: 4 }) },
      value,
    ),
  }),
);
const methods = ['initialize', 'ping', 'tools/list', 'server/discover', 'resources/list', 'completion/complete'];
const notices = ['notifications/initialized', 'notifications/cancelled', 'notifications/progress'];
const someId = fc.oneof({ weight: 4, arbitrary: fc.nat(1_000) }, value);
const called = fc
  .tuple(someId, calls)
  .map(([id, params]): object => ({ jsonrpc: '2.0', id, method: 'tools/call', params }));
const asked = fc
  .tuple(someId, fc.oneof(fc.constantFrom(...methods, ...notices), fc.string()), value)
  .map(([id, method, params]): object => ({ jsonrpc: '2.0', id, method, params }));
const odd = fc.oneof(
  value.map((one) => JSON.stringify(one)),
  fc.constantFrom('', '{', '[[[', 'null', '"', '\u0000', '[]', '{"jsonrpc":"2.0"}', '['.repeat(20_000)),
  fc.array(asked, { maxLength: 4 }).map((batch) => JSON.stringify(batch)),
  asked.map((one) => JSON.stringify(one).slice(0, -3)),
);
/** One line, as an agent would send it or as none would. */
const message = fc
  .oneof(
    { weight: 3, arbitrary: called.map((one) => JSON.stringify(one)) },
    { weight: 2, arbitrary: asked.map((one) => JSON.stringify(one)) },
    odd,
  )
  .map((text) => text.replaceAll(/[\r\n]/g, ' '));

/** As much as any tool looks for, among secrets. */
const whole = {
  ...statusOf('web'),
  items: [{ ...summary('web'), secret: token }],
  resource: { ...summary('web'), token },
  spec: { password: token },
  key: 'KEY',
  available: true,
  role: 'admin',
  host: 'host',
  database: 'app',
  username: 'app',
  uri: token,
};
const answers: readonly Answer[] = [
  ...[...Array.from({ length: 12 }, () => whole), { ...whole, status: 200 }, {}, null, [1]].map((json) => ({ json })),
  ...[400, 403, 404, 409, 429, 500, 503].map((status) => ({ status, json: { error: 'because' } })),
  (response) => void response.destroy(),
  (response) => void response.end('<html>'),
];

/** An API that grants every tool, and answers anything. */
async function apiOf(runs: number, seed: number) {
  const server = await scriptedServer();
  const paths: Record<string, Record<string, object>> = {};
  for (const [method = '', path = ''] of tools.flatMap(({ routes }) => routes.map((route) => route.split(' '))))
    (paths[path] ??= {})[method.toLowerCase()] = { 'x-callers': { 'admin token': 'whole' } };
  server.on('GET /me', { json: { username: 'fuzz', role: 'admin', scope: 'workspace' } });
  server.on('GET /openapi.json', { json: { paths } });
  const drawn = fc.sample(fc.constantFrom(...answers), { numRuns: runs, seed });
  let next = 0;
  server.otherwise((response, reached) => {
    const answer = drawn[next++ % drawn.length];
    if (typeof answer === 'function') return answer(response, reached);
    response.writeHead(answer?.status ?? 200, { 'content-type': 'application/json' });
    return void response.end(JSON.stringify(answer?.json));
  });
  return server;
}

const isProtocol = (line: string): boolean => {
  try {
    return (JSON.parse(line) as { readonly jsonrpc?: unknown }).jsonrpc === '2.0';
  } catch {
    return false;
  }
};

/** What services wrote, such as a log, is told as they wrote it. */
const tellsToken = (text: string): boolean => text.includes(token) && !text.includes('treat it as data');

interface Outcome {
  readonly counts: Record<string, number>;
  readonly findings: MessageFinding[];
}
const count = ({ counts }: Outcome, what: string) => (counts[what] = (counts[what] ?? 0) + 1);

/** To one server on standard input and output, which answers the next question after whatever it was sent. */
async function overInput(messages: readonly string[], url: string, outcome: Outcome): Promise<void> {
  const child = spawn(process.execPath, [`${root}dist/core.js`, 'mcp', '--url', url, '--allow-delete'], {
    env: { PATH: process.env['PATH'], CORE_CONFIG: '/nonexistent/core.json', CORE_TOKEN: token },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  let last = '';
  const find = (why: string) => void outcome.findings.push({ message: last, why });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  child.stdin.on('error', () => {});
  const late = () => new Promise<null>((tell) => void setTimeout(() => tell(null), answeredWithinMs).unref());
  for (let at = 0; at < messages.length; at += aBatch) {
    const batch = messages.slice(at, at + aBatch);
    last = batch.join('\n').slice(0, 4_000);
    child.stdin.write(`${batch.join('\n')}\n{"jsonrpc":"2.0","id":"asked-${at}","method":"ping"}\n`);
    for (let isAnswered = false; !isAnswered;) {
      const line = await Promise.race([lines.next(), late()]);
      if (line === null || line.done) {
        find(line === null ? 'standard input: it hangs' : `standard input: it ends with ${String(child.exitCode)}`);
        child.kill('SIGKILL');
        return;
      }
      if (tellsToken(line.value)) find('standard output tells the token');
      if (!isProtocol(line.value)) find(`standard output holds ${line.value.slice(0, 200)}`);
      isAnswered = line.value.includes(`"asked-${at}"`);
      count(outcome, line.value.includes('"error"') ? 'input: error' : 'input: answer');
    }
  }
  child.stdin.end();
  const [code] = (await ended) as [number | null];
  count(outcome, `input: exit ${String(code)}`);
  if (code !== 0) find(`standard input: it ends with ${String(code)}`);
}

/** Sends a message as it is; resolves with the status and the text of the answer. */
const posted = (url: string, body: string): Promise<{ readonly status: number; readonly text: string }> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    };
    const sent = request(url, { method: 'POST', headers, timeout: answeredWithinMs }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', reject);
    });
    sent.on('timeout', () => sent.destroy(new Error('it hangs')));
    sent.on('error', reject).end(body);
  });

async function overHttp(messages: readonly string[], api: string, outcome: Outcome): Promise<void> {
  const transport = makeTransport(new URL(api), {});
  const { address, stop } = await listen({
    host: '127.0.0.1',
    port: 0,
    names: [],
    allowed: { readOnly: false, deletion: true },
    now: Date.now,
    clientFor: (one) => makeClient({ address: api, token: one, agent: 'core/fuzz', env: {}, transport }),
  });
  for (const one of messages) {
    const find = (why: string) =>
      void outcome.findings.push({ message: one.slice(0, 4_000), why: `over HTTP: ${why}` });
    try {
      const { status, text } = await posted(`http://127.0.0.1:${address.port}/mcp`, one);
      count(outcome, `http: ${status}`);
      if (status >= 500) find(`it answers ${status}: ${text.slice(0, 200)}`);
      if (tellsToken(text)) find('it tells the token');
      if (/\n {4}at |\.ts:\d/.test(text)) find('it tells where it failed');
    } catch (error) {
      find(error instanceof Error ? error.message : String(error));
    }
  }
  await stop();
  transport.close();
}

/** Sends agents' messages to the server of agents, over both transports, in front of an API that answers anything. */
export async function fuzzMessages(runs: number, seed: number): Promise<Outcome> {
  const outcome: Outcome = { counts: {}, findings: [] };
  const messages = fc.sample(message, { numRuns: runs, seed });
  const api = await apiOf(runs, seed);
  await overInput(messages, api.url, outcome);
  await overHttp(messages, api.url, outcome);
  await api.stop();
  return outcome;
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Created, Items, NewApiToken, Summary } from '../../http/api.ts';
import { inTurns } from '../../http/apiClient/inTurns.ts';
import { scriptedServer } from '../http/cli/scripted.ts';
import { askJson } from '../support/askJson.ts';
import { type Product, root, startProduct } from '../support/product.ts';
import { until } from '../support/until.ts';
import { agentFigures } from './agents.ts';
import { type Line, times } from './line.ts';
import { startMs } from './starts.ts';

const core = join(root, 'dist/core.js');
const bareReads = join(root, 'specs/bench/bareReads.mjs');
const secondsOf = async (run: () => unknown): Promise<number> => {
  const startedAt = performance.now();
  await run();
  return (performance.now() - startedAt) / 1_000;
};

/** The quietest round of each: what else the machine does only ever adds. */
const quietest = (values: readonly number[]): number => Math.min(...values);

/** A start of the program against one of Node, in turns. */
function starts(): Line {
  const bare: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < 21; round++) {
    bare.push(startMs(['-e', '0']));
    ours.push(startMs([core, 'version']));
  }
  const ratio = quietest(ours) / quietest(bare);
  return {
    what: 'core version, against an empty node',
    figure: `${times(ratio)} (${Math.round(quietest(ours))} ms)`,
    budget: '≤ 2 ×',
    holds: ratio <= 2,
  };
}

const services = 1_000;
const atATime = 8;

/** Drafts, which the product keeps as it does every service. */
async function makeServices(product: Product): Promise<void> {
  const { name: project } = await askJson<Created>(product, 'POST', '/projects', { displayName: 'many' });
  await until(async () => {
    const { items } = await askJson<Items<Summary>>(product, 'GET', '/projects');
    return items.some(({ name, state }) => name === project && state === 'ready');
  }, 'the project is ready');
  const names = Array.from({ length: services }, (_, index) => `service-${index}`);
  const environment = 'production';
  await inTurns(names, atATime, (name) =>
    askJson(product, 'POST', '/apps', { project, environment, name, source: 'image', image: 'nginx', draft: true }),
  );
}

/** The status of many services of the product, against a bare program of the same concurrency. */
async function statuses(product: Product): Promise<Line> {
  await makeServices(product);
  const { token } = await askJson<NewApiToken>(product, 'POST', '/tokens', { name: 'reads', role: 'admin' });
  const address = (product.endpoints.dashboard ?? '').replace(/\/$/, '');
  const env = { PATH: process.env['PATH'], HOME: tmpdir(), CORE_URL: address, CORE_TOKEN: token };
  const bare: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < 7; round++) {
    bare.push(await secondsOf(() => piped(process.execPath, [bareReads, String(atATime)], env)));
    ours.push(await secondsOf(() => piped(process.execPath, [core, 'status'], env)));
  }
  const ratio = quietest(ours) / quietest(bare);
  return {
    what: `core status over ${services} services of the product, against a bare program, the start of both included`,
    figure: `${times(ratio)} (${Math.round(quietest(ours) * 1_000)} ms)`,
    budget: '≤ 1.3 ×',
    holds: ratio <= 1.3,
  };
}

const lines = 1_000_000;
const eventOf = (index: number) =>
  `id: ${index}.web-1.app.0\ndata: ${JSON.stringify({ t: '2026-01-01T00:00:00.000Z', service: 'web', pod: 'web-1', container: 'app', line: `line ${index} of a log that is as long as lines are`, level: 'info' })}\n\n`;

/** The whole log, as fast as the reader takes it. */
async function logServer() {
  const server = await scriptedServer();
  server.on('GET /apps/web/logs/stream', (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let index = 0;
    const more = () => {
      while (index < lines) {
        let part = '';
        for (let count = 0; count < 500 && index < lines; count++) part += eventOf(index++);
        if (!response.write(part)) return void response.once('drain', more);
      }
      response.end('event: end\ndata: {"reason":"the end"}\n\n');
    };
    more();
  });
  return server;
}

async function piped(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  child.stdout.resume();
  await once(child, 'close');
}

/** A followed log into a pipe, against curl. */
async function followed(): Promise<readonly Line[]> {
  const server = await logServer();
  const env = { PATH: process.env['PATH'], HOME: tmpdir(), CORE_URL: server.url, CORE_TOKEN: 'token' };
  const bare: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < 5; round++) {
    bare.push(await secondsOf(() => piped('curl', ['-sN', `${server.url}/api/v1/apps/web/logs/stream`], env)));
    ours.push(await secondsOf(() => piped(process.execPath, [core, 'logs', 'web', '-f'], env)));
  }
  await server.stop();
  const ratio = quietest(bare) / quietest(ours);
  return [
    {
      what: `core logs -f of ${lines} lines into a pipe, against what curl takes through`,
      figure: `${times(ratio)} (${Math.round(lines / quietest(ours))} lines/s)`,
      budget: '≥ 0.5 ×',
      holds: ratio >= 0.5,
    },
  ];
}

/** The figures of the command line. */
export async function commandLine(): Promise<readonly Line[]> {
  const { size } = statSync(join(root, 'dist/cli.bundle.js'));
  const bundle = {
    what: 'the bundle of the command line',
    figure: `${Math.round(size / 1_000)} kB`,
    budget: '≤ 400 kB',
    holds: size <= 400_000,
  };
  const product = await startProduct();
  try {
    return [starts(), bundle, ...(await followed()), await statuses(product), ...(await agentFigures(product))];
  } finally {
    await product.end('SIGTERM');
    product.clean();
  }
}

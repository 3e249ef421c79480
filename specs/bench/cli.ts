import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { statusOf, summary } from '../http/cli/cases.ts';
import { scriptedServer } from '../http/cli/scripted.ts';
import { terminal } from '../http/cli/terminal.ts';
import { root } from '../support/product.ts';
import { type Line, times } from './line.ts';
import { median } from './measure.ts';

const core = join(root, 'dist/core.js');
const secondsOf = async (run: () => Promise<unknown> | unknown): Promise<number> => {
  const startedAt = performance.now();
  await run();
  return (performance.now() - startedAt) / 1_000;
};

/** A start of the program against one of Node, in turns. */
async function starts(): Promise<Line> {
  const folder = mkdtempSync(join(tmpdir(), 'core-bench-'));
  const env = { PATH: process.env['PATH'], CORE_CONFIG: join(folder, 'config.json') };
  const run = (...args: readonly string[]) => spawnSync(process.execPath, args, { env });
  const bare: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < 21; round++) {
    bare.push(await secondsOf(() => run('-e', '0')));
    ours.push(await secondsOf(() => run(core, 'version')));
  }
  rmSync(folder, { recursive: true });
  const ratio = median(ours) / median(bare);
  return {
    what: 'core version, against an empty node',
    figure: `${times(ratio)} (${Math.round(median(ours) * 1_000)} ms)`,
    budget: '≤ 2 ×',
    holds: ratio <= 2,
  };
}

const services = 1_000;
const atATime = 8;

/** The status of many services against bare requests of the same concurrency. */
async function statuses(): Promise<Line> {
  const server = await scriptedServer();
  const names = Array.from({ length: services }, (_, index) => `service-${index}`);
  server.on('GET /apps', { json: { items: names.map((name) => summary(name)) } });
  server.otherwise({ json: statusOf('web') });
  const shell = terminal({ env: { CORE_URL: server.url, CORE_TOKEN: 'token' } });
  const bareRead = (name: string, agent: Agent) =>
    new Promise<void>((read, fail) => {
      get(`${server.url}/api/v1/apps/${name}/status`, { agent }, (response) => {
        response.resume();
        response.on('end', read);
      }).on('error', fail);
    });
  const bareReads = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: atATime });
    await Promise.all(names.map((name) => bareRead(name, agent)));
    agent.destroy();
  };
  const bare: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < 5; round++) {
    bare.push(await secondsOf(bareReads));
    ours.push(await secondsOf(() => shell.core('status')));
  }
  shell.clean();
  await server.stop();
  const ratio = median(ours) / median(bare);
  return {
    what: `core status over ${services} services, against bare requests`,
    figure: times(ratio),
    budget: '≤ 1.3 ×',
    holds: ratio <= 1.3,
  };
}

const lines = 300_000;
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
  for (let round = 0; round < 3; round++) {
    bare.push(await secondsOf(() => piped('curl', ['-sN', `${server.url}/api/v1/apps/web/logs/stream`], env)));
    ours.push(await secondsOf(() => piped(process.execPath, [core, 'logs', 'web', '-f'], env)));
  }
  await server.stop();
  const ratio = median(bare) / median(ours);
  return [
    {
      what: `core logs -f of ${lines} lines into a pipe, against what curl takes through`,
      figure: `${times(ratio)} (${Math.round(lines / median(ours))} lines/s)`,
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
  return [await starts(), bundle, await statuses(), ...(await followed())];
}

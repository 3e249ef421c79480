import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { makeLastResort } from '../../http/program/lastResort.ts';
import { promMetrics } from '../../runtime/services/promMetrics.ts';
import { programOf } from '../support/program.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { type ServedRequest, exchange } from './served.ts';

const spec = suite('uncaught errors');
const program = programOf(new URL('faultyServer.ts', import.meta.url));

interface Listening {
  readonly is: 'listening';
  readonly odd: string;
  readonly rest: string;
  readonly headers: Readonly<Record<string, string>>;
}
interface Logged {
  readonly message: string;
  readonly method?: string;
  readonly route?: string;
  readonly error?: string;
}
type Counts = Readonly<Record<'request' | 'process', number>>;

/** More than a bundle has files, which are loaded all at once. */
const descriptors = 4_096;
let child: ChildProcess;
let at: Listening;
let errors = '';
/** What the killed servers left behind. */
const folder = mkdtempSync(join(tmpdir(), 'core-lastResort-'));
spec.after(() => rmSync(folder, { recursive: true, force: true }));

spec.before.each(async () => {
  errors = '';
  const limited = ['-c', `ulimit -n ${descriptors}; exec "$0" "$@"`, process.execPath, ...program];
  const env = { ...process.env, TMPDIR: folder };
  child = spawn('sh', limited, { env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  child.stderr?.on('data', (text: Buffer) => (errors += text.toString()));
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`the server ended with ${code ?? signal}: ${errors.slice(-1_000)}`);
  });
  ended.catch(() => {});
  [at] = (await Promise.race([once(child, 'message'), ended])) as [Listening];
});
spec.after.each(async () => {
  if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
});

const answeredWithinMs = 20_000;
/** A request that nobody ends would keep the suite waiting. */
const within = <T>(answer: Promise<T>): Promise<T> =>
  Promise.race([
    answer,
    wait(answeredWithinMs, null, { ref: false }).then(() => Promise.reject(new Error('it was not answered'))),
  ]);
const ask = (path: string, asked: ServedRequest = {}) => within(exchange(`${at.odd}${path}`, asked));
const counts = async () => (await ask('/counts')).json() as Counts;
const logged = () =>
  errors
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Logged)
    .filter(({ message }) => message === 'uncaught error');
const isWell = async () => assert.is((await ask('/well')).text, 'well');

const ending = ['/thrown', '/tick', '/timer', '/rejected', '/body', '/listener'];

spec('an uncaught error answers its request with 500 and affects no other', async () => {
  for (const path of ending) {
    const { status, text } = await ask(`${path}?secret=1`, { method: 'POST', body: 'a body' });
    assert.is(status, 500, path);
    assert.equal(JSON.parse(text), { error: 'internal error; see the operator log' });
    await isWell();
  }
  assert.equal(await counts(), { request: ending.length, process: 0 });
  await until(() => logged().length === ending.length, 'all are logged');
  assert.equal(
    logged().map(({ method, route }) => `${method} ${route}`),
    ending.map((path) => `POST ${path}`),
  );
  for (const { error = '' } of logged()) assert.match(error, /failed: |ENOENT/);
  for (const { error = '' } of logged().slice(0, 5)) assert.match(error, /\n\s+at /);
  assert.not.match(errors, 'secret');
});

spec('a response 500 carries no headers of the intended content', async () => {
  const { status, headers } = await ask('/cached');
  assert.is(status, 500);
  assert.equal([headers.etag, headers['x-frame-options'], headers['cache-control']], [undefined, 'DENY', 'no-store']);
});

spec('an uncaught error closes the connection when a part of the response was sent', async () => {
  const begun = await ask('/begun').then(
    () => 'whole',
    (error: Error) => error.message,
  );
  assert.is(begun, 'aborted');
  assert.is((await ask('/ended')).text, 'ended');
  await until(async () => (await counts()).request === 2, 'both are counted');
  await isWell();
});

/** What is answered to an upgrade and one byte after it. */
const upgrade = (path: string) =>
  within(
    new Promise<string>((resolve, reject) => {
      let got = '';
      const socket = connect(Number(new URL(at.odd).port), '127.0.0.1');
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: odd\r\n\r\n`);
      setTimeout(() => socket.write('x'), 50);
      socket.on('data', (piece: Buffer) => (got += piece.toString()));
      socket.on('error', reject).on('close', () => resolve(got));
    }),
  );

spec('an uncaught error of an upgraded connection ends that connection', async () => {
  assert.match(await upgrade('/refused'), /^HTTP\/1\.1 500 /);
  assert.match(await upgrade('/accepted'), /^HTTP\/1\.1 101 [^]*\r\n\r\n$/);
  await isWell();
  assert.equal(await counts(), { request: 2, process: 0 });
});

spec('an uncaught error of a service is logged with the pattern of the route', async () => {
  const { status, headers } = await within(exchange(`${at.rest}/api/v1/apps/shop/metrics`, { headers: at.headers }));
  assert.is(status, 500);
  assert.is(headers['x-frame-options'], 'DENY');
  await until(() => logged().length > 0, 'it is logged');
  const [{ method, route } = { method: '', route: '' }] = logged();
  assert.is(`${method} ${route}`, 'GET /api/v1/apps/:app/metrics');
  assert.is((await exchange(`${at.rest}/api/v1/apps/shop`, { headers: at.headers })).status, 200);
});

/** The status of one answer; undefined where none came in time. */
const statusOver = (agent: Agent, url: string, withinMs = 10_000) =>
  new Promise<number | undefined>((resolve) => {
    const asking = get(url, { agent }, (response) => response.on('end', () => resolve(response.statusCode)).resume());
    asking.on('error', () => resolve(undefined)).setTimeout(withinMs, () => asking.destroy());
  });

spec('API-015 pages are served when no file descriptor is free', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const page = () => statusOver(agent, `${at.rest}/`);
  assert.is(await page(), 200);
  const exhausted = once(child, 'message');
  child.send('exhaust');
  assert.equal(await exhausted.then(([message]) => message as object), { is: 'exhausted' });
  for (let time = 0; time < 20; time++) assert.is(await page(), 200);
  const strangers = Array.from({ length: 40 }, () => statusOver(new Agent(), `${at.rest}/`, 200));
  assert.equal([...new Set(await Promise.all(strangers))], [undefined]);
  assert.is(await page(), 200);
  assert.is(child.exitCode, null);
  child.send('release');
  await until(async () => (await statusOver(new Agent(), `${at.rest}/`, 200)) === 200, 'strangers are served');
  agent.destroy();
});

spec('the tenth error outside requests within a minute ends the process with 1', async () => {
  const fail = async (times: number) => {
    const before = (await counts()).process;
    for (let time = 0; time < times; time++) child.send('fail');
    await until(async () => (await counts()).process === before + times, 'they are counted');
  };
  await fail(9);
  for (let time = 0; time < 12; time++) assert.is((await ask('/timer')).status, 500);
  await isWell();
  assert.ok(logged().every(({ method, route }) => (method === undefined) === (route === undefined)));
  const exit = once(child, 'exit');
  const given = once(child, 'message');
  child.send('fail');
  assert.equal(await given.then(([message]) => message as object), { is: 'givenUp' });
  assert.equal(await exit, [1, null]);
});

spec('errors older than a minute are not counted, and the process gives up once', () => {
  let [now, gaveUp] = [0, 0];
  const lastResort = makeLastResort({ giveUp: () => void gaveUp++, now: () => now });
  for (let error = 0; error < 30; error++) {
    now += 6_700;
    lastResort.count('process');
  }
  assert.is(gaveUp, 0);
  for (let error = 0; error < 20; error++) lastResort.count('process');
  assert.is(gaveUp, 1);
});

spec('the metrics count uncaught errors of requests and others separately', async () => {
  const metrics = promMetrics();
  const lastResort = makeLastResort({ giveUp: () => {} });
  metrics.uncaughtErrors(lastResort.counted);
  for (const from of ['request', 'process', 'request'] as const) lastResort.count(from);
  for (let scrape = 0; scrape < 2; scrape++) {
    const text = await metrics.text();
    assert.match(text, 'core_uncaught_errors_total{from="request"} 2');
    assert.match(text, 'core_uncaught_errors_total{from="process"} 1');
  }
});

spec.run();

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Context, Effect, Fiber, Layer } from 'effect';
import * as assert from 'uvu/assert';
import { GitHost, type GitHostShape } from '../../../runtime/services/gitHost.ts';
import { octokitGitHost } from '../../../runtime/services/octokitGitHost.ts';
import { app, type Host, send, startHost } from '../gitHost/host.ts';
import { gitIsThere, makeWorkTree } from '../gitHost/client.ts';
import { suite } from '../../support/suite.ts';
import { unless } from '../../support/unless.ts';
import { until } from '../../support/until.ts';

const reads = suite('octokitGitHost');
/** Only the tests of a time-out use this short one. */
const shortMs = 250;
const sha = 'c'.repeat(40);

type Reply = (request: IncomingMessage, response: ServerResponse) => void;

let host: Host;
let server: ReturnType<typeof createServer>;
let apiUrl: string;
let asked: string[];
let cut: number;
let reply: Reply;
let git: GitHostShape;

const serviceAt = async (url: string, options: { readonly timeoutMs?: number; readonly freshMs?: number } = {}) => {
  const layer = octokitGitHost({ apiUrl: url, timeoutMs: 30_000, ...options });
  return Context.get(await Effect.runPromise(Effect.scoped(Layer.build(layer))), GitHost);
};
const run = <A>(effect: Effect.Effect<A>) => Effect.runPromise(effect);
const commit = (ref = 'main') => run(git.commit('token', 'demo/hello', ref));

const answering =
  (status: number, body: unknown = {}, headers: Readonly<Record<string, string>> = {}): Reply =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

reads.before(async () => {
  host = await startHost();
  server = createServer((request, response) => {
    asked.push(`${request.headers['if-none-match'] === undefined ? '' : 'if '}${request.url}`);
    response.once('close', () => (cut += response.writableFinished ? 0 : 1));
    reply(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
reads.before.each(async () => {
  asked = [];
  cut = 0;
  git = await serviceAt(apiUrl);
});
reads.after(async () => {
  server.close();
  server.closeAllConnections();
  await host.end();
});

const withGit = unless(reads, gitIsThere() ? null : 'git is not installed');

withGit('the client gets a token, a commit and all 250 check runs from a real Git host', async () => {
  const real = await serviceAt(host.apiUrl);
  const tree = await makeWorkTree();
  const head = await tree.commit({ a: '1' });
  await tree.git('push', `${host.cloneUrl}/demo/hello.git`, 'HEAD:feature/x');
  const issued = await run(real.installationToken({ appId: app.appId, privateKey: app.privateKeyPem }, 1));
  if (issued.is !== 'found') throw new Error(JSON.stringify(issued));
  const own = { appId: app.appId, privateKey: app.privateKeyPem };
  assert.equal(await run(real.installations(own)), { is: 'found', value: [{ id: 1, account: 'local' }] });
  const { token, expiresAt } = issued.value;
  assert.ok(Date.parse(expiresAt) > Date.now() + 3_500_000);
  assert.equal(await run(real.commit(token, 'demo/hello', 'feature/x')), { is: 'found', value: head });
  await Promise.all(
    Array.from({ length: 250 }, (_, index) =>
      send(`${host.apiUrl}/repos/demo/hello/check-runs`, 'POST', {
        name: `check ${index}`,
        head_sha: head,
        conclusion: index === 7 ? 'failure' : 'success',
      }),
    ),
  );
  const runs = await run(real.checkRuns(token, 'demo/hello', head));
  if (runs.is !== 'found') throw new Error(JSON.stringify(runs));
  assert.is(new Set(runs.value.map(({ name }) => name)).size, 250);
  assert.equal(
    runs.value.filter(({ conclusion }) => conclusion !== 'success'),
    [{ name: 'check 7', status: 'completed', conclusion: 'failure' }],
  );
  assert.equal(await run(real.commit('wrong', 'demo/hello', 'main')), {
    is: 'refused',
    code: 401,
    status: '401 Unauthorized',
  });
  assert.is((await run(real.commit(token, 'demo/none', 'main'))).is, 'refused');
  tree.clean();
});

const refusals: readonly (readonly [number, string])[] = [
  [400, '400 Bad Request'],
  [401, '401 Unauthorized'],
  [403, '403 Forbidden'],
  [404, '404 Not Found'],
  [409, '409 Conflict'],
  [422, '422 Unprocessable Entity'],
  [451, '451 Unavailable For Legal Reasons'],
];
for (const [code, status] of refusals)
  reads(`a ${code} is reported as a refusal with its status`, async () => {
    reply = answering(code, { message: 'no' }, { 'x-ratelimit-remaining': '4999' });
    assert.equal(await commit(), { is: 'refused', code, status });
  });

/** Whether the commit is refused until this long after the request; hosts report whole seconds. */
const isLimitedFor = async (inMs: number) => {
  const askedAt = Date.now();
  const answer = await commit();
  const answeredAt = Date.now();
  assert.is(answer.is, 'limited');
  if (answer.is !== 'limited') return;
  const from = answer.until - inMs;
  assert.ok(askedAt - 1_000 <= from && from <= answeredAt + 1_000, `${from} between ${askedAt} and ${answeredAt}`);
};
const inSeconds = (seconds: number) => String(Math.ceil(Date.now() / 1_000) + seconds);

reads('a rate limit is reported with its end', async () => {
  reply = answering(429, {}, { 'retry-after': '30' });
  await isLimitedFor(30_000);
  reply = (...asker) => answering(403, {}, { 'retry-after': new Date(Date.now() + 40_000).toUTCString() })(...asker);
  await isLimitedFor(40_000);
  reply = (...asker) =>
    answering(403, {}, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inSeconds(90) })(...asker);
  await isLimitedFor(90_000);
  reply = answering(429, {}, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'soon' });
  await isLimitedFor(60_000);
  reply = answering(429);
  await isLimitedFor(60_000);
  reply = answering(403, { message: 'You have exceeded a secondary rate limit.' });
  await isLimitedFor(60_000);
  reply = answering(429, {}, { 'retry-after': '0' });
  await isLimitedFor(1_000);
});

const silences: readonly (readonly [string, Reply, RegExp])[] = [
  ['500', answering(500), /^it answered 500 Internal Server Error$/],
  ['503', answering(503, 'away'), /^it answered 503 Service Unavailable$/],
  ['JSON cut short', answering(200, '{"sha": "'), /not what was asked for/],
  ['another document', answering(200, { sha: 'short' }), /not what was asked for/],
  ['304 unasked', answering(304), /304/],
  ['a connection that is cut', ({ socket }) => socket.destroy(), /other side closed|ECONNRESET|terminated/],
  ['no answer', () => {}, /^no answer within 0.25 s$/],
  [
    'half an answer',
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{');
    },
    /^no answer within 0.25 s$/,
  ],
];
for (const [name, bad, why] of silences)
  reads(`${name} counts as silence with a message`, async () => {
    reply = bad;
    if (String(why).includes('within')) git = await serviceAt(apiUrl, { timeoutMs: shortMs });
    const answer = await commit();
    assert.is(answer.is, 'silent', JSON.stringify(answer));
    if (answer.is === 'silent') assert.match(answer.why, why);
  });

reads('requests fail at once for a while after a timeout, and later reach the host', async () => {
  reply = () => {};
  // Half of it is the time in which no other caller is kept waiting.
  git = await serviceAt(apiUrl, { timeoutMs: 8 * shortMs });
  await commit();
  assert.is((await commit('other')).is, 'silent');
  assert.is(asked.length, 1, 'the second is told without being asked for');
  reply = answering(200, 'a'.repeat(40));
  await until(async () => (await commit('other')).is === 'found', 'it is asked again');
});

reads('an unreachable Git host counts as silence', async () => {
  git = await serviceAt('http://127.0.0.1:1');
  const answer = await commit();
  assert.match(answer.is === 'silent' ? answer.why : '', /ECONNREFUSED|bad port/);
});

reads('a token that cannot be sent is refused and never shown', async () => {
  const answer = await run(git.commit('se\ncret', 'demo/hello', 'main'));
  assert.equal(answer, { is: 'refused', code: 401, status: '401 Unauthorized' });
  for (const repository of ['demo', '../demo', 'a/..', 'a/b/c', ''])
    assert.is((await run(git.commit('token', repository, 'main'))).is, 'refused', repository);
  assert.is(asked.length, 0);
  const key = await run(git.installationToken({ appId: '1', privateKey: 'no key' }, 1));
  assert.equal(key, { is: 'silent', why: 'the private key of the application cannot be used' });
});

reads('BLD-088 a commit is requested as a bare sha, and an answer in JSON is accepted too', async () => {
  reply = answering(200, sha, { 'content-type': 'application/vnd.github.sha; charset=utf-8' });
  assert.equal(await commit('a/b'), { is: 'found', value: sha });
  assert.equal(asked, ['/repos/demo/hello/commits/a%2Fb']);
  reply = answering(200, { sha });
  assert.equal(await commit(), { is: 'found', value: sha });
});

reads('an ETag makes the next request conditional, and 304 returns the cached answer', async () => {
  reply = (request, response) =>
    request.headers['if-none-match'] === '"1"'
      ? answering(304)(request, response)
      : answering(200, { sha }, { etag: '"1"' })(request, response);
  await commit();
  assert.equal(await commit(), { is: 'found', value: sha });
  assert.equal(asked, ['/repos/demo/hello/commits/main', 'if /repos/demo/hello/commits/main']);
  await run(git.commit('another', 'demo/hello', 'main'));
  assert.is(asked[2], '/repos/demo/hello/commits/main');
});

const page = (names: readonly string[], total: number, first = 0) => ({
  total_count: total,
  check_runs: names.map((name, index) => ({ id: first + index, name, status: 'completed', conclusion: 'success' })),
});
const late =
  (body: unknown, ms = 50): Reply =>
  (request, response) =>
    void setTimeout(() => answering(200, body)(request, response), ms);

reads('fifty concurrent callers cost one request, and so do the next ones while the answer is fresh', async () => {
  git = await serviceAt(apiUrl, { freshMs: 3_000 });
  const all = () =>
    run(
      Effect.all(
        Array.from({ length: 50 }, () => git.checkRuns('token', 'demo/hello', sha)),
        { concurrency: 50 },
      ),
    );
  reply = late(page(['a'], 1));
  const answers = await all();
  assert.is(answers.filter(({ is }) => is === 'found').length, 50);
  await all();
  assert.is(asked.length, 1);
  await until(async () => {
    await all();
    return asked.length > 1;
  }, 'it is asked anew');
  assert.is(asked.length, 2);
});

reads('BLD-089 check runs are requested by their commit', async () => {
  reply = answering(200, page(['a'], 1));
  assert.is((await run(git.checkRuns('token', 'demo/hello', sha))).is, 'found');
  assert.match(asked.join(), new RegExp(`^/repos/demo/hello/commits/${sha}/check-runs\\?[^,]*$`));
});

reads('a branch is requested each time, and a failure is never cached', async () => {
  reply = answering(200, { sha });
  await commit();
  await commit();
  assert.is(asked.length, 2);
  reply = answering(500);
  await commit(sha);
  reply = answering(200, { sha });
  assert.equal(await commit(sha), { is: 'found', value: sha });
});

reads('a shared request continues for its remaining callers and ends with the last', async () => {
  reply = late({ sha }, 100);
  const ask = git.commit('token', 'demo/hello', 'main');
  const [first, second] = [Effect.runFork(ask), Effect.runFork(ask)];
  await until(() => asked.length === 1, 'the request');
  await run(Fiber.interrupt(first));
  assert.equal(await run(Fiber.join(second)), { is: 'found', value: sha });
  assert.equal([asked.length, cut], [1, 0]);
  reply = () => {};
  const alone = Effect.runFork(ask);
  await until(() => asked.length === 2, 'the second request');
  await run(Fiber.interrupt(alone));
  await until(() => cut === 1, 'it is cut');
  reply = answering(200, { sha });
  assert.equal(await commit(), { is: 'found', value: sha });
});

reads('check runs that change between two pages are discarded', async () => {
  const many = Array.from({ length: 100 }, (_, index) => `check ${index}`);
  reply = (request, response) => {
    const isFirst = /[?&]page=1\b/.test(request.url ?? '');
    answering(200, isFirst ? page(many, 150) : page(['late'], 151, 100))(request, response);
  };
  const answer = await run(git.checkRuns('token', 'demo/hello', sha));
  assert.equal(answer, { is: 'silent', why: 'the check runs changed while they were read' });
});

reads('requests write nothing to the console', async () => {
  const written: unknown[] = [];
  const { log, warn, error, info, debug } = console;
  Object.assign(
    console,
    Object.fromEntries(
      ['log', 'warn', 'error', 'info', 'debug'].map((name) => [name, (...all: unknown[]) => written.push(all)]),
    ),
  );
  reply = answering(404, {}, { deprecation: 'true', sunset: 'soon', link: '<x>; rel="deprecation"' });
  await commit();
  Object.assign(console, { log, warn, error, info, debug });
  assert.equal(written, []);
});

reads.run();

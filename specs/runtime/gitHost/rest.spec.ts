import { generateKeyPairSync } from 'node:crypto';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { listenAgain } from '../../../runtime/gitHost/port.ts';
import { programOf } from '../../support/program.ts';
import { suite } from '../../support/suite.ts';
import { gitIsThere, makeWorkTree, type WorkTree } from './client.ts';
import { app, type Host, json, jwt, send, startHost } from './host.ts';

if (!gitIsThere()) process.exit(0);

const rest = suite("the Git host's REST API");
let host: Host;
let tree: WorkTree;
let sha: string;

rest.before(async () => {
  host = await startHost();
  tree = await makeWorkTree();
  sha = await tree.commit({ a: '1' }, 'One');
  await tree.git('push', `${host.cloneUrl}/demo/hello.git`, 'HEAD:main', 'HEAD:feature/x');
  await tree.git('tag', '--annotate', 'v1', '--message', 'v1');
  await tree.git('push', `${host.cloneUrl}/demo/hello.git`, 'v1');
});
rest.after(async () => {
  await host.end();
  tree.clean();
});

const shaOf = async (ref: string) =>
  (await json(await host.api(`/repos/demo/hello/commits/${encodeURIComponent(ref)}`)))['sha'];

rest('a commit is found by branch, tag, full and short sha', async () => {
  for (const ref of ['main', 'feature/x', 'v1', 'heads/main', 'tags/v1', 'HEAD', sha, sha.slice(0, 7)])
    assert.is(await shaOf(ref), sha, ref);
  const bare = await host.api('/repos/demo/hello/commits/main', { headers: { accept: 'application/vnd.github.sha' } });
  assert.is(await bare.text(), sha);
});

rest('a missing repository or commit is refused in the words of the supported Git host', async () => {
  const refusal = async (path: string) => {
    const response = await host.api(path);
    return [response.status, (await json(response))['message']];
  };
  assert.equal(await refusal('/repos/demo/none'), [404, 'Not Found']);
  assert.equal(await refusal('/repos/demo/none/commits/main'), [404, 'Not Found']);
  assert.equal(await refusal('/repos/demo/hello/commits/none'), [422, 'No commit found for SHA: none']);
  assert.equal(await refusal(`/repos/demo/hello/commits/${'e'.repeat(40)}`), [
    422,
    `No commit found for SHA: ${'e'.repeat(40)}`,
  ]);
  assert.equal(await refusal('/nothing'), [404, 'Not Found']);
  const empty = `${host.cloneUrl}/demo/empty.git`;
  await tree.git('push', empty, 'HEAD:refs/tags/gone');
  await tree.git('push', empty, ':refs/tags/gone');
  assert.equal(await refusal('/repos/demo/empty/commits/main'), [409, 'Git Repository is empty.']);
});

rest('the API of the Git host accepts only issued tokens', async () => {
  const ask = (authorization?: string) =>
    fetch(`${host.apiUrl}/repos/demo/hello`, { headers: authorization === undefined ? {} : { authorization } });
  assert.is((await ask()).status, 401);
  const bad = await ask('Bearer nonsense');
  assert.is(bad.status, 401);
  assert.is((await json(bad))['message'], 'Bad credentials');
  assert.is((await ask(`token ${await host.token()}`)).status, 200);
});

rest('a token is issued to the application alone, and only for an hour', async () => {
  const ask = (bearer: string, id = 1) =>
    fetch(`${host.apiUrl}/app/installations/${id}/access_tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}` },
    });
  const now = Math.floor(Date.now() / 1_000);
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' });
  const wrong = [
    jwt({ iss: '2' }),
    jwt({ exp: now - 1 }),
    jwt({ exp: now + 700 }),
    jwt({ iat: now + 600 }),
    jwt({}, String(other)),
    `${Buffer.from('{"alg":"none"}').toString('base64url')}.${jwt().split('.')[1]}.`,
    'nonsense',
  ];
  for (const bearer of wrong) assert.is((await ask(bearer)).status, 401, bearer);
  assert.is((await ask(jwt(), 2)).status, 404);
  const askedAt = Date.now();
  const issued = await ask(jwt({ iss: app.clientId }));
  assert.is(issued.status, 201);
  const { token, expires_at } = await json(issued);
  assert.match(String(token), /^ghs_/);
  const endsAt = Date.parse(String(expires_at));
  assert.ok(endsAt > askedAt + 3_600_000 - 1_000 && endsAt <= Date.now() + 3_600_000, String(expires_at));
});

const checks = (query = '') => host.api(`/repos/demo/hello/commits/main/check-runs${query}`);
const post = (body: object) => send(`${host.apiUrl}/repos/demo/hello/check-runs`, 'POST', body);

rest('check runs are written without a token and read page by page', async () => {
  await Promise.all(
    Array.from({ length: 250 }, (_, index) => post({ name: `check ${index}`, head_sha: sha, status: 'queued' })),
  );
  const names = new Set<unknown>();
  let next: string | undefined = '?per_page=100';
  let pages = 0;
  while (next !== undefined) {
    const response = await checks(next);
    const body = await json(response);
    assert.is(body['total_count'], 250);
    for (const run of body['check_runs'] as readonly { name: string }[]) names.add(run.name);
    next = /<[^>]*(\?[^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    pages += 1;
  }
  assert.equal([names.size, pages], [250, 3]);
  assert.is(((await json(await checks()))['check_runs'] as readonly unknown[]).length, 30);
  assert.is(((await json(await checks('?per_page=1000')))['check_runs'] as readonly unknown[]).length, 100);
});

rest('a check run after a completed one of the same name replaces it in the answer', async () => {
  const seen = async (filter: string) =>
    (
      (await json(await checks(`?check_name=again&filter=${filter}`)))['check_runs'] as readonly {
        conclusion: unknown;
      }[]
    ).map(({ conclusion }) => conclusion);
  const first = await json(await post({ name: 'again', head_sha: 'main', status: 'in_progress' }));
  const same = await json(await post({ name: 'again', head_sha: sha, conclusion: 'failure' }));
  assert.is(same['id'], first['id']);
  const second = await json(await post({ name: 'again', head_sha: sha }));
  assert.equal(await seen('latest'), [null]);
  await send(`${host.apiUrl}/repos/demo/hello/check-runs/${String(second['id'])}`, 'PATCH', { conclusion: 'success' });
  assert.equal(await seen('latest'), ['success']);
  assert.equal(await seen('all'), ['success', 'failure']);
  assert.is((await post({ name: 'again', head_sha: sha, conclusion: 'perhaps' })).status, 422);
  assert.is((await post({ name: 'again', head_sha: sha, status: 'completed' })).status, 422);
  assert.is((await post({ name: 'again', head_sha: 'none' })).status, 422);
});

rest('an answer that did not change is 304 and costs nothing of the limit', async () => {
  const first = await checks('?per_page=1');
  const used = Number(first.headers.get('x-ratelimit-used'));
  const etag = first.headers.get('etag') ?? '';
  const again = await host.api('/repos/demo/hello/commits/main/check-runs?per_page=1', {
    headers: { 'if-none-match': etag },
  });
  assert.equal([again.status, Number(again.headers.get('x-ratelimit-used'))], [304, used]);
  await post({ name: 'another', head_sha: sha });
  const changed = await host.api('/repos/demo/hello/commits/main/check-runs?per_page=1', {
    headers: { 'if-none-match': etag },
  });
  assert.equal([changed.status, Number(changed.headers.get('x-ratelimit-used'))], [200, used + 1]);
});

rest('tokens and check runs outlive a restart', async () => {
  const before = await json(await checks());
  await host.restart();
  assert.equal(await json(await checks()), before);
});

rest('injected faults change responses for as long as requested', async () => {
  const set = (rules: readonly object[]) => send(`${host.url}/testing/faults`, 'PUT', { rules });
  const path = '/api/repos/demo/hello/commits/**';
  await set([{ path, status: 403, body: { message: 'slow down' }, headers: { 'retry-after': '7' }, times: 2 }]);
  const bad = await checks();
  assert.equal([bad.status, bad.headers.get('retry-after'), (await json(bad))['message']], [403, '7', 'slow down']);
  assert.is((await host.api('/repos/demo/hello')).status, 200);
  const { rules } = await json(await fetch(`${host.url}/testing/faults`));
  assert.is((rules as readonly { times: number }[])[0]?.times, 1);
  await checks();
  assert.is((await checks()).status, 200);
  await set([{ path, silent: true }]);
  const silence = await host
    .api('/repos/demo/hello/commits/main', { signal: AbortSignal.timeout(150) })
    .catch(() => null);
  assert.is(silence, null);
  assert.is((await send(`${host.url}/testing/faults`, 'DELETE')).status, 204);
  assert.is((await checks()).status, 200);
  assert.is((await set([{ path, status: 'no' }])).status, 422);
});

rest('testing routes answer programs of this machine, and no foreign host name or page of another site', async () => {
  const { port } = new URL(host.url);
  const asked = (headers: Readonly<Record<string, string>>) =>
    new Promise<readonly [number, string]>((resolve, reject) => {
      const sent = request(`${host.url}/testing/deliveries`, { headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const { message = '' } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly message?: string };
          resolve([response.statusCode ?? 0, message]);
        });
      });
      sent.on('error', reject).end();
    });
  const only = 'only programs on this machine may ask for this';
  for (const name of ['evil.example', `evil.example:${port}`, '127.evil.example', 'localhost.evil.example', '10.0.0.7'])
    assert.equal(await asked({ host: name }), [403, `${only}, and "${name}" is no name of it`], name);
  for (const origin of ['https://elsewhere.example', 'null', `https://127.0.0.1:${port}`, 'http://127.0.0.1:1'])
    assert.equal(await asked({ origin }), [403, `${only}, and no page of ${origin}`], origin);
  assert.is((await asked({ 'sec-fetch-site': 'cross-site' }))[0], 403);
  for (const name of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, 'git.localhost'])
    assert.is((await asked({ host: name }))[0], 200, name);
  assert.is((await asked({ origin: `http://127.0.0.1:${port}` }))[0], 200);
});

rest('a request under a foreign host name cannot read a repository', async () => {
  const path = `${host.cloneUrl}/demo/hello.git/info/refs?service=git-upload-pack`;
  const status = await new Promise((resolve, reject) => {
    request(path, { headers: { host: 'evil.example' } }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });
  assert.is(status, 401);
});

rest('the Git host reports a machine without git', async () => {
  const program = programOf(new URL('withoutGit.ts', import.meta.url));
  const said = await new Promise<string>((resolve, reject) => {
    const env = { ...process.env, PATH: '' };
    execFile(process.execPath, [...program], { env }, (error, stdout) => (error ? reject(error) : resolve(stdout)));
  });
  const answers = JSON.parse(said) as readonly { status: number; message: string }[];
  for (const { status, message } of answers) assert.match(`${status} ${message}`, /^503 git is not installed/);
  assert.is(answers.length, 3);
});

rest('a free port is reused at the next start, unless the port is in use or was never stored', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'core-git-port-'));
  const servers: Server[] = [];
  const started = async () => {
    const server = createServer();
    servers.push(server);
    return (await listenAgain(server, { dataDir, host: '127.0.0.1', port: 0 })).port;
  };
  try {
    const first = await started();
    const other = await started();
    assert.is.not(other, first);
    servers.forEach((server) => server.close());
    assert.is(await started(), other);
    servers.at(-1)?.close();
    writeFileSync(join(dataDir, 'port'), '99999');
    assert.ok((await started()) < 65_536);
  } finally {
    servers.forEach((server) => server.close());
    rmSync(dataDir, { recursive: true, force: true });
  }
});

rest.run();

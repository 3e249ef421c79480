import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { suite } from '../../support/suite.ts';
import { git, gitIsThere, makeWorkTree, type WorkTree } from './client.ts';
import { type Host, json, startHost } from './host.ts';

if (!gitIsThere()) process.exit(0);

const speaks = suite('git over HTTP at the Git host');
let host: Host;
let tree: WorkTree;

speaks.before(async () => {
  host = await startHost();
  tree = await makeWorkTree();
  await tree.commit({ 'readme.md': 'hello' }, 'First');
});
speaks.after(async () => {
  await host.end();
  tree.clean();
});

const address = (name: string) => `${host.cloneUrl}/${name}.git`;
const header = (value: string) => ['-c', `http.extraHeader=Authorization: ${value}`];
const basic = (token: string) => `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;

speaks('the first push creates the repository, and a clone returns its files', async () => {
  assert.match((await git(tree.path, 'clone', address('demo/hello'), 'nothing')).text, /not found/i);
  await tree.git('push', address('demo/hello'), 'HEAD:main');
  const { code } = await git(tree.path, 'clone', '--quiet', address('demo/hello'), '.git/first');
  assert.is(code, 0);
  assert.is(readFileSync(join(tree.path, '.git/first/readme.md'), 'utf8'), 'hello');
});

speaks('a request for the refs of a push creates no repository', async () => {
  const asked = await fetch(`${address('stray/asked')}/info/refs?service=git-receive-pack`);
  assert.is(asked.status, 200);
  assert.match(await asked.text(), /^001f# service=git-receive-pack\n0000/);
  assert.is((await git(tree.path, 'push', '--dry-run', address('stray/asked'), 'HEAD:main')).code, 0);
  assert.not.ok(existsSync(join(host.dataDir, 'repositories/stray')));
  assert.is((await host.api('/repos/stray/asked')).status, 404);
  assert.is((await fetch(`${address('stray/asked')}/info/refs?service=git-upload-pack`)).status, 404);
});

speaks('the address works without .git as well', async () => {
  assert.match(await tree.git('ls-remote', `${host.cloneUrl}/demo/hello`), /refs\/heads\/main/);
});

speaks('a Git LFS request is refused in the format of LFS', async () => {
  const form = 'application/vnd.git-lfs+json';
  const asked = [
    ['POST', 'info/lfs/objects/batch'],
    ['POST', 'info/lfs/locks/verify'],
    ['GET', 'info/lfs/locks?path=a'],
    ['PUT', 'info/lfs/objects/0a1b'],
    ['GET', 'info/lfs'],
  ] as const;
  for (const at of [address('demo/hello'), `${host.cloneUrl}/demo/hello`, address('stray/none')])
    for (const [method, path] of asked) {
      const body = method === 'GET' ? null : JSON.stringify({ operation: 'upload', objects: [] });
      const headers = { accept: form, 'content-type': form, authorization: basic('wrong') };
      const response = await fetch(`${at}/${path}`, { method, body, headers });
      assert.equal([response.status, response.headers.get('content-type')], [501, form], path);
      assert.equal(await response.json(), { message: 'large files are not served here' });
    }
  assert.is((await fetch(`${address('demo/hello')}/info/lfsx`)).status, 404);
});

speaks('HEAD follows the first pushed branch and stays with it', async () => {
  await tree.git('push', address('demo/trunk'), 'HEAD:trunk');
  await tree.git('push', address('demo/trunk'), 'HEAD:main');
  assert.match(await tree.git('ls-remote', '--symref', address('demo/trunk'), 'HEAD'), /ref: refs\/heads\/trunk\tHEAD/);
  assert.is((await json(await host.api('/repos/demo/trunk')))['default_branch'], 'trunk');
});

speaks('an issued token is accepted in every form, and a wrong one in none', async () => {
  const token = await host.token();
  const list = (value: string) => git(tree.path, ...header(value), 'ls-remote', address('demo/hello'));
  for (const right of [`Bearer ${token}`, `token ${token}`, basic(token)])
    assert.match((await list(right)).text, /refs\/heads\/main/, right);
  for (const wrong of ['Bearer wrong', 'token wrong', basic('wrong'), 'Digest x']) {
    const { code, text } = await list(wrong);
    assert.is.not(code, 0, wrong);
    assert.match(text, /401|Authentication|could not read Username/i, wrong);
  }
});

speaks('a chunked push of several megabytes arrives completely', async () => {
  const noise = randomBytes(3_000_000);
  await tree.commit({ noise });
  await tree.git('-c', 'http.postBuffer=65536', 'push', address('demo/large'), 'HEAD:main');
  await git(tree.path, 'clone', '--quiet', address('demo/large'), '.git/large');
  assert.equal(readFileSync(join(tree.path, '.git/large/noise')), noise);
});

speaks('a request body that is compressed is read', async () => {
  const sha = await tree.git('rev-parse', 'HEAD');
  const line = (text: string) => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;
  const body = `${line('command=fetch')}0001${line(`want ${sha}\n`)}${line('done\n')}0000`;
  const response = await fetch(`${address('demo/large')}/git-upload-pack`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-git-upload-pack-request',
      'content-encoding': 'gzip',
      'git-protocol': 'version=2',
    },
    body: gzipSync(body),
  });
  assert.is(response.status, 200);
  assert.match(Buffer.from(await response.arrayBuffer()).toString('latin1'), /packfile/);
});

/** A request whose path no client library tidies up. */
const raw = (path: string) =>
  new Promise<number>((resolve, reject) => {
    const { hostname, port } = new URL(host.url);
    request({ hostname, port, path }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });

speaks('no path leads out of the folder or becomes an option of git', async () => {
  const paths = [
    '/../../etc/passwd',
    '/..%2f..%2fetc/x.git/info/refs?service=git-receive-pack',
    '/demo/..%2f..%2fescape.git/info/refs?service=git-receive-pack',
    '/demo/...git/info/refs?service=git-receive-pack',
    '/../evil.git/info/refs?service=git-receive-pack',
    '/-x/--upload-pack=id.git/info/refs?service=git-receive-pack',
    '/api/x.git/info/refs?service=git-receive-pack',
    '/demo/a%00b.git/info/refs?service=git-receive-pack',
    '/demo/hello.git/HEAD',
    '/demo/hello.git/objects/info/packs',
    '/demo/hello.git/info/refs',
    '/demo/hello.git/info/refs?service=--help',
  ];
  for (const path of paths) assert.ok([400, 404].includes(await raw(path)), path);
  for (const ref of [
    '--help',
    '-x',
    '..%2F..',
    'main%0Amain',
    'main%5E%7Btree%7D',
    ':%2Freadme',
    '@%7B-1%7D',
    'main~0',
  ])
    assert.is((await host.api(`/repos/demo/hello/commits/${ref}`)).status, 422, ref);
});

speaks('a client that disconnects during a push leaves the host working', async () => {
  const { hostname, port } = new URL(host.url);
  await new Promise<void>((resolve) => {
    const half = request({ hostname, port, method: 'POST', path: '/demo/hello.git/git-receive-pack' });
    half.setHeader('content-type', 'application/x-git-receive-pack-request');
    half.on('error', () => {});
    half.on('close', resolve);
    half.write('00a1');
    setTimeout(() => half.destroy(), 50);
  });
  await tree.git('push', address('demo/hello'), 'HEAD:main');
});

speaks('two concurrent first pushes create one repository', async () => {
  const two = await Promise.all(
    ['a', 'b'].map((branch) => git(tree.path, 'push', address('demo/both'), `HEAD:${branch}`)),
  );
  assert.equal(
    two.map(({ code }) => code),
    [0, 0],
  );
});

speaks.run();

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../support/suite.ts';

const spec = suite('the install script');
const script = readFileSync(new URL('../../../http/cli/install.sh', import.meta.url), 'utf8');
const program = '#!/bin/sh\necho core version v1.2.0\n';
const sumOf = (text: string) => createHash('sha256').update(text).digest('hex');

const served = new Map<string, string>();
const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  const found = served.get(request.url ?? '');
  response.statusCode = found === undefined ? 404 : 200;
  response.end(found);
});
let folder = '';
let host = '';

spec.before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
spec.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'core-install-'));
  asked.length = 0;
  served.clear();
  for (const base of ['latest/download', 'download/v1.2.0']) {
    served.set(`/shop/core/releases/${base}/core`, program);
    served.set(`/shop/core/releases/${base}/core.sha256`, `${sumOf(program)}  core\n`);
  }
});
spec.after.each(() => rmSync(folder, { recursive: true, force: true }));
spec.after(() => void server.close());

async function install(env: Readonly<Record<string, string>> = {}, from = script) {
  const path = join(folder, 'install.sh');
  writeFileSync(path, from.replace('git_host=https://github.com', `git_host=${host}`));
  const child = spawn('sh', [path], {
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, CORE_REPO: 'shop/core', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text: Buffer) => (out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (err += text.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, out, err };
}
const at = (...parts: readonly string[]) => join(folder, ...parts);

spec(
  'CLI-066 CLI-067 the install script installs the latest release or CORE_VERSION into CORE_INSTALL_DIR',
  async () => {
    const { code, out, err } = await install();
    assert.is(code, 0, err);
    assert.match(out, `Installed core version v1.2.0 in ${at('.local/bin/core')}`);
    assert.equal(asked, [
      '/shop/core/releases/latest/download/core',
      '/shop/core/releases/latest/download/core.sha256',
    ]);
    assert.is(readFileSync(at('.local/bin/core'), 'utf8'), program);
    assert.is(statSync(at('.local/bin/core')).mode & 0o777, 0o755);
    assert.is((await install({ CORE_VERSION: 'v1.2.0', CORE_INSTALL_DIR: at('bin') })).code, 0);
    assert.is(asked.at(-1), '/shop/core/releases/download/v1.2.0/core.sha256');
    assert.equal(readdirSync(at('bin')), ['core']);
  },
);

spec('a failed installation preserves the existing program', async () => {
  mkdirSync(at('bin'));
  writeFileSync(at('bin/core'), 'old');
  const latest = '/shop/core/releases/latest/download/core';
  const env = { CORE_INSTALL_DIR: at('bin') };
  const broken: readonly (readonly [string, string | null, RegExp])[] = [
    [`${latest}.sha256`, `${sumOf('other')}  core\n`, /its SHA-256 is/],
    [`${latest}.sha256`, '', /is not what it should be/],
    [`${latest}.sha256`, null, /could not be downloaded/],
    [latest, null, /could not be downloaded/],
  ];
  for (const [path, text, message] of broken) {
    const before = served.get(path) ?? '';
    if (text === null) served.delete(path);
    else served.set(path, text);
    const { code, err } = await install(env);
    assert.is(code, 1);
    assert.match(err, message);
    assert.equal([readdirSync(at('bin')), readFileSync(at('bin/core'), 'utf8')], [['core'], 'old']);
    served.set(path, before);
  }
  assert.match((await install({ ...env, CORE_REPO: '' })).err, 'CORE_REPO=owner/name');
});

spec('the install script states the required Node version when Node is missing or old', async () => {
  mkdirSync(at('old'));
  writeFileSync(at('old/node'), '#!/bin/sh\n[ "$1" = --version ] && echo v18.0.0\nexit 1\n');
  chmodSync(at('old/node'), 0o755);
  const old = await install({ PATH: `${at('old')}:${process.env['PATH'] ?? ''}` });
  assert.equal([old.code, old.err], [1, 'Error: it needs Node 20.19 or later, and this is v18.0.0\n']);
  assert.equal(asked, []);
});

spec.run();

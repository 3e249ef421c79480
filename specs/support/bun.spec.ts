import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { bunVersion, fetchBun } from './bun.ts';
import { suite } from './suite.ts';

const folder = mkdtempSync(join(tmpdir(), 'core-bun-'));

/** A package whose program is a script that succeeds. */
function forgedPackage(): Buffer {
  mkdirSync(join(folder, 'package/bin'), { recursive: true });
  writeFileSync(join(folder, 'package/bin/bun'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(folder, 'package/package.json'), '{ "name": "forged", "version": "1.0.0" }');
  spawnSync('tar', ['-czf', 'forged.tgz', 'package'], { cwd: folder });
  return readFileSync(join(folder, 'forged.tgz'));
}

const forged = forgedPackage();
const registry = createServer(({ url = '', headers }, response) => {
  if (url.endsWith('.tgz')) return response.end(forged);
  const name = decodeURIComponent(url.slice(1));
  const dist = {
    tarball: `http://${headers.host}/forged.tgz`,
    integrity: `sha512-${createHash('sha512').update(forged).digest('base64')}`,
  };
  const versions = { [bunVersion]: { name, version: bunVersion, dist } };
  return response.end(JSON.stringify({ name, versions }));
}).listen(0, '127.0.0.1');
await once(registry, 'listening');

const cache = join(folder, 'cache');
const env = {
  ...process.env,
  npm_config_cache: join(folder, 'npm'),
  npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
  npm_config_fetch_retry_mintimeout: '1',
};

const spec = suite('fetching bun');
spec.after(() => {
  registry.close();
  rmSync(folder, { recursive: true, force: true });
});

spec('a package other than the pinned one is refused and not kept', async () => {
  assert.match((await fetchBun({ cache, env })) ?? '', /^bun cannot be fetched: the package has integrity sha512-/);
  assert.equal(readdirSync(cache), []);
});

spec('a missing registry is reported with its reason, and nothing is cached', async () => {
  // Nothing listens on port 1; npm warns of a setting that it does not know before it tells the failure.
  const nowhere = { npm_config_registry: 'http://127.0.0.1:1/', npm_config_cache: join(folder, 'empty') };
  const reason = await fetchBun({ cache, env: { ...env, ...nowhere, npm_config_of_another_version: '1' } });
  assert.match(reason ?? '', /^bun cannot be fetched: .*ECONNREFUSED/);
  assert.equal(readdirSync(cache), []);
});

spec.run();

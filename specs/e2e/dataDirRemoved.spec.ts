import { existsSync, rmSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { startProduct } from '../support/product.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';

const spec = suite('removal of the data directory at run time');

spec('a removed data directory is logged once, reported by /healthz and not created anew', async () => {
  const product = await startProduct();
  const health = async (path: string) => {
    const answer = await fetch(new URL(path, product.endpoints.health ?? ''));
    return [answer.status, await answer.json()];
  };
  try {
    assert.equal(await health('/healthz'), [200, { ok: true }]);
    await until(async () => (await health('/readyz'))[0] === 200, 'it is ready');
    const before = product.stderr().length;
    rmSync(product.dataDir, { recursive: true });
    const removed = [503, { ok: false, why: 'the data directory was removed' }];
    for (const path of ['/healthz', '/readyz', '/healthz']) assert.equal(await health(path), removed, path);
    assert.is((await product.api('/api/v1/apps')).status, 200, 'it goes on answering');
    assert.is(await product.end('SIGTERM'), 0);
    const lines = product.stderr().slice(before).trimEnd().split('\n');
    const logged = lines.map((line) => JSON.parse(line) as { readonly level: string; readonly message: string });
    assert.equal(
      logged.filter(({ level }) => level !== 'info').map(({ message }) => message),
      ['data directory was removed'],
    );
    assert.not.ok(existsSync(product.dataDir));
  } finally {
    await product.end('SIGTERM');
    product.clean();
  }
});

spec.run();

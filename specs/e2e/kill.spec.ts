import * as assert from 'uvu/assert';
import { Effect } from 'effect';
import { label } from '../../crds/names.ts';
import { builds } from '../../runtime/services/cluster/kinds.ts';
import { jobs } from '../../runtime/services/cluster/resources.ts';
import { type Product, run, startProduct } from '../support/product.ts';
import { isWhole, times } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { userBuild } from '../support/environment.ts';

const kills = suite('kill -9 while builds run');
const count = times(50, 16);
const names = Array.from({ length: count }, (_, index) => `kill-${String(index).padStart(2, '0')}`);

const all = async (product: Product) => (await run(product.cluster.list(builds))).items;
const phases = async (product: Product) => (await all(product)).map(({ status }) => status?.phase ?? '');

kills('BLD-178 BLD-179 builds end with one Job a run when the operator is killed repeatedly', async () => {
  let product = await startProduct();
  const { dataDir } = product;
  try {
    // Every build is of a service of its own, so that none outlives another.
    await run(
      Effect.forEach(names, (name) => product.cluster.create(builds, userBuild(name, { app: name })), {
        concurrency: 8,
      }),
    );
    for (const running of isWhole ? [1, 10, 25] : [1, 8]) {
      await until(
        async () => (await phases(product)).filter((phase) => phase !== '').length >= running,
        'builds are on their way',
      );
      await product.end('SIGKILL');
      product = await startProduct({ dataDir });
    }
    await until(async () => (await phases(product)).every((phase) => phase === 'Succeeded'), 'every build succeeds');
    const found = await all(product);
    assert.is(found.length, count);
    const ran = new Map((await run(product.cluster.list(jobs))).items.map((job) => [job.metadata.name, job]));
    assert.is(ran.size, count);
    for (const { metadata, status } of found) {
      const events = (status?.history ?? []).map(({ event }) => event);
      assert.is(events.filter((event) => event === 'startCleared').length, 1, `${metadata.name} claimed one run`);
      assert.is(events.filter((event) => event === 'jobCreated' || event === 'ownJobFound').length, 1, metadata.name);
      const job = ran.get(`${metadata.name}-builder`);
      assert.is(job?.metadata.annotations?.['core.platform/run'], status?.startedAt);
      assert.match(status?.imageDigest ?? '', /^sha256:[0-9a-f]{64}$/);
      assert.is(metadata.labels?.[label.app], metadata.name, 'BLD-019 the label is added at start');
    }
  } finally {
    await product.end('SIGTERM');
    product.clean();
  }
});

kills('a second start on a live data directory is refused, and the first continues', async () => {
  const product = await startProduct();
  try {
    const refused = await startProduct({ dataDir: product.dataDir }).catch((error: unknown) => String(error));
    assert.match(typeof refused === 'string' ? refused : 'it started', /is in use by process \d+/);
    assert.is((await fetch(new URL('/readyz', product.endpoints.health ?? ''))).status, 200);
  } finally {
    assert.is(await product.end('SIGTERM'), 0);
    product.clean();
  }
});

kills.run();

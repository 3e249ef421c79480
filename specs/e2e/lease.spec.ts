import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { coreApp } from '../../crds/coreApp.ts';
import type { CoreBuild } from '../../crds/coreBuild.ts';
import { coreProject } from '../../crds/coreProject.ts';
import { typeMeta } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import type { Done, Explanation } from '../../http/api.ts';
import { apps, builds, projects } from '../../runtime/services/cluster/kinds.ts';
import { leaseName, leases } from '../../runtime/lead/leaseRecord.ts';
import { jobs } from '../../runtime/services/cluster/resources.ts';
import { type Product, run } from '../support/product.ts';
import { leads, type Replicas, startReplicas } from '../support/replicas.ts';
import { isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';
import { userBuild } from '../support/environment.ts';

const spec = suite('two operators over one cluster');
const test = unless(spec, isWhole ? null : 'two operators as processes are played by `npm run whole`');
/** A leader that a busy machine keeps from its next renewal for some seconds still leads. */
const leaseSeconds = 9;
let replicas: Replicas;
spec.before(async () => {
  if (!isWhole) return;
  replicas = await startReplicas(leaseSeconds);
});
spec.after(async () => {
  if (isWhole) await replicas.end();
});

const create = (names: readonly string[]) =>
  run(
    Effect.forEach(names, (name) => replicas.cluster.cluster.create(builds, userBuild(name, { app: name })), {
      concurrency: 4,
    }),
  );
const all = async () => (await run(replicas.cluster.cluster.list(builds))).items;
const buildsOf = async (app: string) => (await all()).filter(({ spec: { app: of } }) => of === app);
const succeeded = (some: readonly CoreBuild[]) =>
  some.length > 0 && some.every(({ status }) => status?.phase === 'Succeeded');
const succeed = async (names: readonly string[]) => {
  const found = (await all()).filter(({ metadata }) => names.includes(metadata.name));
  return found.length === names.length && succeeded(found);
};
/** A service that builds one commit of a repository, and its project. */
async function makeService() {
  const { cluster } = replicas.cluster;
  await run(
    cluster.create(projects, {
      ...typeMeta(coreProject),
      metadata: { name: 'demo', namespace: systemNamespace },
      spec: { clusterRef: { name: 'local' }, environments: ['production'] },
    }),
  );
  await run(
    cluster.create(apps, {
      ...typeMeta(coreApp),
      metadata: { name: 'shop', namespace: systemNamespace },
      spec: {
        project: 'demo',
        environment: 'production',
        source: { git: { repository: 'demo/shop', commit: 'a'.repeat(40), waitForCI: false } },
        build: { registry: { repository: 'registry.local/apps/shop' }, cache: false },
        deploy: { enabled: true },
      },
    }),
  );
}
const statusOf = async (url: string | null, path: string) => (await fetch(new URL(path, url ?? ''))).status;
const explain = async ({ api }: Product, build: CoreBuild | undefined) =>
  (await (await api(`/api/v1/builds/${build?.metadata.name}/explain`)).json()) as Explanation;
const named = (what: string, count: number) => Array.from({ length: count }, (_, index) => `${what}-${index}`);

test('the standby serves and takes over builds when the leader is killed or stopped', async () => {
  const first = await replicas.enter();
  await until(() => leads(first), 'the first leads');
  const second = await replicas.enter();
  assert.is(await leads(second), false);
  for (const one of [first, second]) assert.is(await statusOf(one.endpoints.health, '/readyz'), 200);

  await makeService();
  await until(async () => succeeded(await buildsOf('shop')), 'the leader builds');

  const asked = await second.api('/api/v1/apps/shop/build', { method: 'POST' });
  assert.is(asked.status, 200, 'a command on the stand-by');
  await until(async () => {
    const again = await buildsOf('shop');
    const runs = again.flatMap(({ status }) => status?.history ?? []).filter(({ event }) => event === 'jobCreated');
    return runs.length === 2 && succeeded(again);
  }, 'the leader follows it');

  const [built] = await buildsOf('shop');
  const look = await second.api(`/api/v1/builds/${built?.metadata.name}/look`, { method: 'POST' });
  assert.is(((await look.json()) as Done).note, 'The leader checks it now.');
  const isLookedAtNoMore = (by: Product) => async () => (await explain(by, built)).nextLook === undefined;
  await until(isLookedAtNoMore(first), 'the leader knows that it is looked at no more');
  assert.is((await explain(second, built)).nextLook, null, 'the stand-by says that it does not know');

  const late = named('late', 20);
  await create(late.slice(0, 10));
  const killedAt = performance.now();
  await first.end('SIGKILL');
  await create(late.slice(10));
  await until(() => leads(second), 'the stand-by leads');
  const afterMs = performance.now() - killedAt;
  await until(() => succeed(late), 'every build ends right');
  process.stdout.write(
    `\nthe stand-by led ${afterMs.toFixed(0)} ms after the kill: ${(afterMs / (leaseSeconds * 1_000)).toFixed(2)} of the lease\n`,
  );
  await until(isLookedAtNoMore(second), 'now it leads, and knows');
  const ran = (await run(replicas.cluster.cluster.list(jobs))).items.filter(({ metadata }) =>
    metadata.name.startsWith('late'),
  );
  assert.is(ran.length, late.length, 'one Job for each build');
  for (const { metadata, status } of await all())
    if (metadata.name.startsWith('late'))
      assert.is(status?.history?.filter(({ event }) => event === 'startCleared').length, 1, metadata.name);

  const third = await replicas.enter();
  const stoppedAt = performance.now();
  assert.is(await second.end('SIGTERM'), 0);
  await until(() => leads(third), 'the third leads');
  process.stdout.write(`the third led ${(performance.now() - stoppedAt).toFixed(0)} ms after the second was stopped\n`);
  const lease = await run(replicas.cluster.cluster.get(leases, { name: leaseName }));
  assert.is(lease.spec?.leaseTransitions, 2);
  await create(['last']);
  await until(() => succeed(['last']), 'the third builds');
});

spec.run();

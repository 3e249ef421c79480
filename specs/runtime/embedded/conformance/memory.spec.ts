import { Effect, Stream } from 'effect';
import * as assert from 'uvu/assert';
import { systemNamespace } from '../../../../crds/names.ts';
import { builds } from '../../../../runtime/services/cluster/kinds.ts';
import { jobs, pods } from '../../../../runtime/services/cluster/resources.ts';
import { memoryCluster, type MemoryCluster } from '../../../support/memoryCluster.ts';
import { suite } from '../../../support/suite.ts';
import { virtualTime } from '../../../support/virtualTime.ts';
import { userBuild } from '../../../support/environment.ts';

const spec = suite('the cluster in memory, edited by specs');

/** A watch from a version on, and what it has told so far. */
async function watching({ watch }: MemoryCluster, resourceVersion: string) {
  const time = virtualTime();
  const told: string[] = [];
  const follow = Stream.runForEach(watch(builds, { resourceVersion, silenceMs: 1_000 }), (change) =>
    Effect.sync(() => {
      if (change.type === 'bookmark') told.push(`bookmark ${change.resourceVersion}`);
      else told.push(`${change.type} ${change.object.metadata.name}`);
    }),
  );
  Effect.runFork(follow);
  await time.settle();
  return { told, settle: time.settle };
}

const versionOf = async ({ list }: MemoryCluster) => (await Effect.runPromise(list(builds))).resourceVersion;

spec('held-back events are delivered in order once released, also to a watch that began in between', async () => {
  const cluster = memoryCluster();
  const early = await watching(cluster, await versionOf(cluster));
  cluster.lag(builds, true);
  cluster.put(builds, userBuild('a'));
  const between = await versionOf(cluster);
  cluster.put(builds, userBuild('b'));
  const late = await watching(cluster, between);
  cluster.bookmark();
  await late.settle();
  assert.equal([early.told, late.told], [[], []]);
  cluster.lag(builds, false);
  await late.settle();
  assert.equal([early.told, late.told], [['added a', 'added b'], ['added b']]);
  cluster.put(builds, userBuild('c'));
  await late.settle();
  assert.equal(late.told, ['added b', 'added c']);
});

spec('an object that its kind would refuse can be put directly, and overwritten', async () => {
  const cluster = memoryCluster();
  cluster.put(pods, { metadata: { name: 'p' }, status: { phase: 'Nonsense' } });
  const patched = await Effect.runPromise(cluster.patchStatus(pods, { name: 'p' }, { more: 1 }));
  assert.equal(patched.status, { phase: 'Nonsense', more: 1 });
  assert.is(patched.metadata.namespace, systemNamespace);
  const labelled = await Effect.runPromise(cluster.patch(pods, { name: 'p' }, { metadata: { labels: { x: 'y' } } }));
  assert.equal([labelled.status, labelled.metadata.labels], [patched.status, { x: 'y' }]);
});

spec('an object put directly gets its defaults, keeps its status, and is validated from then on', async () => {
  const cluster = memoryCluster();
  const { waitForCI: _, ...spec } = userBuild('a').spec;
  cluster.put(builds, { ...userBuild('a', {}, { phase: 'Running' }), spec } as never);
  const [build] = cluster.all(builds);
  assert.equal([build?.spec.waitForCI, build?.status?.phase, build?.metadata.generation], [false, 'Running', 1]);
  const refused = await Effect.runPromise(Effect.flip(cluster.patchStatus(builds, { name: 'a' }, { phase: 'x' })));
  assert.is(refused._tag, 'Refused');
});

spec('an object without its owner stays until garbage collection runs', async () => {
  const cluster = memoryCluster();
  const owner = cluster.put(builds, userBuild('a'));
  const { uid = '' } = owner.metadata;
  const ownerReferences = [{ apiVersion: 'core.platform/v1alpha1', kind: 'CoreBuild', name: 'a', uid }];
  cluster.put(pods, { metadata: { name: 'p', ownerReferences } });
  cluster.collects(false);
  cluster.drop(builds, 'a');
  assert.is(cluster.all(pods).length, 1);
  cluster.collects(true);
  assert.is(cluster.all(pods).length, 0);
});

spec('every created object is recorded for any client', async () => {
  const cluster = memoryCluster();
  cluster.put(builds, userBuild('a'));
  await Effect.runPromise(cluster.create(builds, userBuild('b')));
  cluster.put(builds, userBuild('a', { branch: 'main' }));
  cluster.drop(builds, 'a');
  assert.equal(
    cluster.created.map(({ plural, object }) => `${plural} ${object.metadata.name}`),
    ['corebuilds a', 'corebuilds b'],
  );
});

spec('a past list shows the objects and the version of that time', async () => {
  const cluster = memoryCluster();
  cluster.put(builds, userBuild('a'));
  const before = await versionOf(cluster);
  cluster.put(builds, userBuild('b'));
  cluster.put(jobs, { metadata: { name: 'j' } } as never);
  cluster.drop(builds, 'a');
  const names = (changes: number) => cluster.past(builds, {}, changes).items.map(({ metadata }) => metadata.name);
  assert.equal([names(0), names(1), names(2), names(3), names(9)], [['b'], ['a', 'b'], ['a'], [], []]);
  assert.is(cluster.past(builds, {}, 2).resourceVersion, before);
});

spec.run();

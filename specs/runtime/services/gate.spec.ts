import { Effect, Result } from 'effect';
import * as assert from 'uvu/assert';
import { gatedCloud, gatedCluster, gatedStore, openGate } from '../../../runtime/services/gate.ts';
import { builds } from '../../../runtime/services/cluster/kinds.ts';
import type { Bucket, ObjectStoreShape } from '../../../runtime/services/objectStore.ts';
import { accountOf, memoryCloud } from '../../support/memory/cloud.ts';
import { memoryCluster } from '../../support/memoryCluster.ts';
import { suite } from '../../support/suite.ts';
import { userBuild } from '../../support/environment.ts';

const spec = suite('gate');
const bucket = {} as Bucket;

/** Every kind of write. */
function writers() {
  const cluster = memoryCluster();
  const gate = openGate();
  const through = gatedCluster(cluster, gate);
  const stored: string[] = [];
  const store: ObjectStoreShape = {
    put: (_, key) => Effect.sync(() => void stored.push(key)),
    head: () => Effect.succeed(null),
    get: () => Effect.succeed(null),
  };
  const name = { name: 'a' };
  const writes: Readonly<Record<string, Effect.Effect<unknown, { readonly _tag: string }>>> = {
    create: through.create(builds, userBuild('b')),
    apply: through.apply(builds, userBuild('c'), 'nothing'),
    patch: through.patch(builds, name, { metadata: { labels: { x: 'y' } } }),
    patchStatus: through.patchStatus(builds, name, { phase: 'Running' }),
    put: gatedStore(store, gate).put(bucket, 'k', { text: 'text', metadata: {}, over: null }),
    remove: through.remove(builds, name),
  };
  cluster.put(builds, userBuild('a'));
  return { cluster, gate, through, stored, writes };
}

spec('an open gate lets every write through', () => {
  const { cluster, stored, writes } = writers();
  for (const [what, write] of Object.entries(writes))
    assert.ok(Result.isSuccess(Effect.runSync(Effect.result(write))), what);
  assert.equal(
    cluster.all(builds).map(({ metadata }) => metadata.name),
    ['b', 'c'],
  );
  assert.equal(stored, ['k']);
});

spec('a closed gate refuses every write, and reads continue', () => {
  const { cluster, gate, through, stored, writes } = writers();
  const before = JSON.stringify(cluster.all(builds));
  gate.close();
  const refusals = Object.entries(writes).map(([what, write]) => {
    const result = Effect.runSync(Effect.result(write));
    return `${what} ${Result.isFailure(result) ? result.failure._tag : 'done'}`;
  });
  assert.equal(refusals, [
    'create Unavailable',
    'apply Unavailable',
    'patch Unavailable',
    'patchStatus Unavailable',
    'put StoreFailed',
    'remove Unavailable',
  ]);
  assert.is(JSON.stringify(cluster.all(builds)), before);
  assert.equal(stored, []);
  assert.is(Effect.runSync(through.get(builds, { name: 'a' })).metadata.name, 'a');
});

spec('a closed gate allows reads of a cloud and refuses writes', () => {
  const held = memoryCloud(() => 0);
  const gate = openGate();
  const cloud = gatedCloud(held.cloud, gate);
  const account = accountOf();
  const answers = (ask: Effect.Effect<unknown, { readonly code: string }>) => {
    const result = Effect.runSync(Effect.result(ask));
    return Result.isFailure(result) ? result.failure.code : 'done';
  };
  const listing = { prefix: '', from: null };
  const writes = [
    cloud.makeBucket(account, 'core-one'),
    cloud.write(account, 'core-one', 'a', 'text'),
    cloud.removeVersions(account, 'core-one', [{ key: 'a', version: null }]),
    cloud.abortUpload(account, 'core-one', { key: 'a', upload: 'u' }),
    cloud.putUser(account, { name: 'core-one', policy: '{"Statement":[]}' }),
    cloud.issueKey(account, 'core-one'),
    cloud.removeKey(account, 'core-one', 'k'),
    cloud.removeUser(account, 'core-one'),
    cloud.removeBucket(account, 'core-one'),
  ];
  assert.equal(
    writes.map(answers),
    writes.map(() => 'done'),
  );
  gate.close();
  const reached = held.calls.length;
  assert.equal(
    writes.map(answers),
    writes.map(() => 'NotWritten'),
  );
  assert.is(held.calls.length, reached);
  assert.is(answers(cloud.check(account)), 'done');
  assert.is(answers(cloud.objects(account, 'core-one', listing)), 'NoSuchBucket');
  const writing = /^(?:make|remove|abort|write|put|issue)/;
  assert.is(Object.keys(held.cloud).filter((name) => writing.test(name)).length, writes.length, 'every write is tried');
});

spec.run();

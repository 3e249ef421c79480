import * as assert from 'uvu/assert';
import { coreProject, type CoreProject } from '../../../../crds/coreProject.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import { annotation } from '../../../../crds/names.ts';
import type { CacheReader } from '../../../../runtime/cache/reader.ts';
import { ActionFailed } from '../../../../runtime/contract/lifecycle.ts';
import { observeProject } from '../../../../runtime/controllers/project/observe.ts';
import { clusters } from '../../../../runtime/services/cluster/kinds.ts';
import { emptyDiff, owned, type Ref } from '../../../../runtime/owned/owned.ts';
import { inSystem } from '../../../support/project.ts';
import { suite } from '../../../support/suite.ts';

const spec = suite('facts of a project');

const shop: CoreProject = {
  ...typeMeta(coreProject),
  metadata: { ...inSystem('shop'), uid: 'shop-1', resourceVersion: '1' },
  spec: { clusterRef: { name: 'local' }, environments: ['live', 'test'] },
};
const asking = { everything: false, uid: 'shop-1', environments: ['test'] };

/** Caches and memory that a spec changes by hand. */
function environment() {
  const cached = new Map<unknown, unknown>();
  let [changes, kept, asked] = [0, 0, 0];
  let absent: readonly Ref[] = [];
  const reader: CacheReader = {
    get: (resource) => cached.get(resource) as never,
    list: () => [],
    indexed: () => [],
    changes: () => changes,
    tally: () => assert.unreachable() as never,
  };
  const ownedResources = {
    diff: () => (asked++, { ...emptyDiff, absent }),
    changes: () => kept,
  };
  return {
    seen: (project: CoreProject, failure: ActionFailed | null = null) =>
      observeProject(project, { reader, ownedResources, failure }),
    asked: () => asked,
    put: (resource: unknown, object: unknown) => (changes++, cached.set(resource, object)),
    remember: (refs: readonly Ref[]) => (kept++, (absent = refs)),
  };
}

spec('facts of a project are derived once while only the rest of its status changes', () => {
  const { seen, asked } = environment();
  const first = seen(shop);
  const status = { phase: 'ProjectReady', webhookEvents: [], history: [] } as const;
  assert.is(seen({ ...shop, metadata: { ...shop.metadata, resourceVersion: '2' }, status }), first);
  assert.is(asked(), 1);
});

spec('facts of a project are derived anew when an input changes', () => {
  const { seen, put, remember } = environment();
  assert.equal(seen(shop).environments, ['live', 'test']);
  assert.equal(seen({ ...shop, spec: { ...shop.spec, environments: ['live'] } }).environments, ['live']);
  const annotations = { [annotation.deletion]: JSON.stringify(asking) };
  assert.equal(seen({ ...shop, metadata: { ...shop.metadata, annotations } }).environments, ['live']);
  assert.is(seen({ ...shop, metadata: { ...shop.metadata, deletionTimestamp: '2027-01-01T00:00:00Z' } }).deleted, true);
  assert.is(seen({ ...shop, status: { clusterRef: { name: 'far' } } }).observedClusterRef, 'far');
  assert.is(seen(shop).observedClusterRef, '');
  assert.is(seen(shop).cluster, 'absent');
  put(clusters, { metadata: inSystem('local'), spec: {} });
  assert.is(seen(shop).cluster, 'notReady');
  remember([{ resource: owned.roleBindings, namespace: 'shop-live', name: 'core' }]);
  assert.equal(seen(shop).missingPieces, ['RoleBinding shop-live/core']);
});

spec('a failure is reported only by the pass in which it occurred', () => {
  const { seen, asked } = environment();
  const failure = new ActionFailed({ action: 'provision', retry: 'waiting', message: 'no answer' });
  assert.is(seen(shop).failure, null);
  assert.equal(seen(shop, failure).failure, { counts: 'waiting', why: 'no answer' });
  assert.is(seen(shop).failure, null);
  assert.is(asked(), 1);
});

spec.run();

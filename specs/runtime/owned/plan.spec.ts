import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../crds/kind.ts';
import { appliedObject, type Owner } from '../../../rules/owned/ownedObject.ts';
import { refOf } from '../../../runtime/owned/displayName.ts';
import { type AppliedRecord, emptyRecord } from '../../../runtime/owned/memory.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import { plan } from '../../../runtime/owned/plan.ts';
import type { ResourceState } from '../../../runtime/owned/state.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('the operations for the objects of an owner');

const owner: Owner = { kind: 'CoreApp', name: 'web', uid: 'u1', adopts: false };
const now = 10_000_000;
const settings = (value: string): KubeObject & { readonly data: object } => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'shop' },
  data: { value },
});

const stored = (object: KubeObject, more: Partial<KubeObject['metadata']> = {}): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, uid: 'o1', resourceVersion: '7', ...more },
});

function stateOf(live: KubeObject | undefined, record?: Partial<AppliedRecord>): ResourceState {
  const object = settings('new');
  return {
    ref: refOf(owned.configMaps, object),
    desired: { resource: owned.configMaps, object },
    cached: live,
    live,
    record: record && { ...emptyRecord, ...record },
  };
}

const opOf = (state: ResourceState, at = now) => plan({ owner, desired: [state], others: [] }, at).ops[0]?.op;
const ours = stored(appliedObject(settings('old'), owner));
const hash = appliedObject(settings('new'), owner).metadata.annotations?.['core.platform/applied'] ?? '';

spec('a missing object is created, a differing one applied', () => {
  const [missing, stale] = [opOf(stateOf(undefined)), opOf(stateOf(ours))];
  assert.is(missing?.do === 'write' && missing.change.is, 'absent');
  assert.is(stale?.do === 'write' && stale.change.is === 'stale' && stale.change.by, 'apply');
});

spec('an unmanaged object is confirmed by a direct read before it is reported', () => {
  assert.equal(opOf(stateOf(stored(settings('new')))), { do: 'confirmUnmanaged' });
  const ofAnEarlierLife = stored(appliedObject(settings('new'), { ...owner, uid: 'u0' }));
  assert.equal(opOf(stateOf(ofAnEarlierLife)), { do: 'confirmUnmanaged' });
});

spec('an object that is terminating, or whose deletion was sent, is checked later', () => {
  const goes = opOf(stateOf(stored(ours, { deletionTimestamp: '2026-01-01T00:00:00Z' })));
  const sent = opOf(stateOf(ours, { removed: 'o1' }));
  assert.equal([goes?.do, sent?.do], ['wait', 'wait']);
  assert.is(goes?.do === 'wait' && goes.requeueAfterMs, 30_000);
});

spec('an object reverted after three applies within ten minutes is held back for the rest of them', () => {
  const changes = [now - 3_000, now - 2_000, now - 1_000];
  const held = opOf(stateOf(ours, { hash, changes }));
  assert.is(held?.do === 'holdBack' && held.heldBackMs, 599_000);
  const twice = opOf(stateOf(ours, { hash, changes: changes.slice(1) }));
  assert.is(twice?.do, 'write');
  const named = opOf(stateOf(ours, { hash, changes, overwritten: { by: '"kubectl"', after: now - 1_000 } }));
  assert.is(named?.do === 'wait' && named.requeueAfterMs, 599_000);
  const later = opOf(
    stateOf(ours, { hash, changes, overwritten: { by: '"kubectl"', after: now - 1_000 } }),
    now + 599_000,
  );
  assert.is(later?.do, 'write');
});

spec('an object to prune is deleted unless it is unmanaged or terminating', () => {
  const other = { ref: refOf(owned.configMaps, ours), object: ours, unmanaged: null, isTerminating: false };
  const deletions = (more: Partial<typeof other> | { readonly unmanaged: { readonly is: 'notOurs' } }) =>
    plan({ owner, desired: [], others: [{ ...other, ...more }] }, now).deletions.length;
  assert.equal(
    [deletions({}), deletions({ isTerminating: true }), deletions({ unmanaged: { is: 'notOurs' } })],
    [1, 0, 0],
  );
});

spec.run();

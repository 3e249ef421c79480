import * as assert from 'uvu/assert';
import { annotation } from '../../crds/names.ts';
import { type Reported, stateOf } from '../../rules/state.ts';
import { suite } from '../support/suite.ts';

const spec = suite('the state that API, pages, commands and tools report');

const at = '2030-01-01T00:00:00Z';
const ready = (status: 'True' | 'False', reason: string) => ({
  conditions: [{ type: 'Ready', status, reason, message: '', lastTransitionTime: at }],
});
const database = (parts: Partial<Reported> = {}): Reported => ({
  metadata: { name: 'orders' },
  spec: { deploy: { enabled: true } },
  ...parts,
});
const draft = { spec: { deploy: { enabled: false } }, status: ready('True', 'DatabaseReady') };

spec('DB-153 DB-154 a terminating object is deleting, and an undeployed one a draft, whatever Ready says', () => {
  assert.is(stateOf(database({ ...draft, metadata: { name: 'orders', deletionTimestamp: at } })), 'deleting');
  assert.is(stateOf(database(draft)), 'draft');
  const unseen = { name: 'orders', annotations: { [annotation.deployRevision]: 'second' } };
  assert.is(stateOf(database({ ...draft, metadata: unseen })), 'draft', 'before its newest deploy was seen too');
});

spec('DB-155 DB-156 DB-157 a deployed object is pending, then ready, or failed when its retries are used up', () => {
  assert.is(stateOf(database({ status: ready('True', 'DatabaseReady') })), 'ready');
  assert.is(stateOf(database({ status: ready('False', 'ProvisionFailed') })), 'failed');
  assert.is(stateOf(database({ status: ready('False', 'ReconcileError') })), 'pending');
  assert.is(stateOf(database()), 'pending');
});

spec('a kind without a gate is never a draft, and Ready of an earlier deploy is ignored', () => {
  assert.is(stateOf(database({ spec: {}, status: ready('True', 'LogicalDatabaseReady') })), 'ready');
  const metadata = { name: 'orders', annotations: { [annotation.deployRevision]: 'second' } };
  const deployedOnce = { ...ready('True', 'DatabaseReady'), deployRevision: 'first' };
  assert.is(stateOf(database({ metadata, status: deployedOnce })), 'pending');
  assert.is(stateOf(database({ metadata, status: { ...deployedOnce, deployRevision: 'second' } })), 'ready');
});

spec.run();

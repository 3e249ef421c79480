import * as assert from 'uvu/assert';
import { kinds } from '../../crds/kinds.ts';
import { loadsOf, naming, sources } from '../house/sources.ts';
import { suite } from '../support/suite.ts';
import { admitted, below, refusals, schemaAt, schemaOf, words } from './served.ts';

const spec = suite('kinds without documented fields, and properties of all kinds');
const object = (fields: object) => ({ metadata: { name: 'x' }, spec: fields });

spec('CoreCluster has exactly the expected fields, and an empty spec is valid', () => {
  assert.equal(below('coreclusters', 'spec'), ['acmeEmail', 'addons', 'defaultRegion', 'overlay']);
  assert.equal(below('coreclusters', 'spec.addons'), ['serverless', 'storage']);
  assert.equal(below('coreclusters', 'status'), ['conditions', 'nodes', 'observedGeneration', 'publicIPs']);
  assert.equal(refusals('coreclusters', object({})), []);
  assert.equal(refusals('coreclusters', { metadata: { name: 'local' } }), []);
});

spec('CoreGitHostConnection has a project and the Secret of its token', () => {
  const plural = 'coregithostconnections';
  const connection = { project: 'shop', secretRef: { name: 'shop-git-token' } };
  assert.equal(below(plural, 'spec'), ['account', 'installationID', 'project', 'secretRef']);
  assert.equal(below(plural, 'status'), ['conditions', 'observedGeneration', 'tokenExpiresAt']);
  assert.equal(refusals(plural, object({ ...connection, installationID: 1, account: 'demo' })), []);
  for (const bad of [{ project: undefined }, { secretRef: undefined }, { installationID: 0 }, { installationID: '1' }])
    assert.ok(refusals(plural, object({ ...connection, ...bad })).length > 0, JSON.stringify(bad));
});

spec('CoreObjectStore is a bucket or a server, and a draft by default', () => {
  const plural = 'coreobjectstores';
  const store = object({ mode: 'Bucket' });
  assert.equal(below(plural, 'spec'), [
    'bucket',
    'connectionRef',
    'deploy',
    'environment',
    'mode',
    'project',
    'region',
    'serverRef',
    'storageSize',
  ]);
  assert.equal(below(plural, 'status'), [
    'bucket',
    'causes',
    'conditions',
    'credentialSecret',
    'deployRevision',
    'endpoint',
    'history',
    'observedGeneration',
    'phase',
    'provision',
    'reconcileRetry',
  ]);
  assert.equal(refusals(plural, store), []);
  assert.is(admitted(plural, store, 'spec.deploy.enabled'), false);
  assert.ok(refusals(plural, object({ mode: 'Folder' })).length > 0);
  assert.ok(refusals(plural, object({})).length > 0);
});

spec('CoreNode is a server with a region and tags, joined over SSH', () => {
  assert.equal(below('corenodes', 'spec'), words('address user sshKeySecretRef region tags reserved'));
  assert.equal(below('corenodes', 'status'), ['conditions', 'observedGeneration', 'phase']);
  assert.equal(schemaAt('corenodes', 'spec').required, ['address']);
  assert.is(schemaAt('corenodes', 'spec.tags')['x-kubernetes-list-type'], 'set');
});

spec('CoreCloudConnection has a project, a provider and a Secret', () => {
  assert.equal(below('corecloudconnections', 'spec'), words('endpoint iamEndpoint project provider region secretRef'));
  assert.equal(below('corecloudconnections', 'status'), ['conditions', 'observedGeneration']);
  assert.equal(schemaAt('corecloudconnections', 'spec').required, ['provider', 'secretRef']);
});

spec('the status of CoreHAReadiness has the number of healthy nodes', () => {
  assert.equal(below('corehareadinesses', 'spec'), ['requestedAt']);
  assert.equal(below('corehareadinesses', 'status'), ['checkedAt', 'conditions', 'healthyNodes', 'observedGeneration']);
});

spec('KND-021 CoreNetworkLog has an open schema, and nothing writes the kind', () => {
  for (const part of ['spec', 'status'])
    assert.is(schemaAt('corenetworklogs', part)['x-kubernetes-preserve-unknown-fields'], true, part);
  assert.equal(naming(/CoreNetworkLog\b|corenetworklogs/i), [
    'crds/coreNetworkLog.ts',
    'crds/kinds.ts',
    'rules/redaction/kinds.ts',
    'runtime/services/cluster/kinds.ts',
  ]);
  const readers = ['http/routes/bootstrap.ts'];
  assert.equal(naming(/\bnetworkLogs\b/).toSorted(), [...readers, 'runtime/services/cluster/kinds.ts']);
  const loaded = sources.filter(({ path }) => readers.includes(path)).flatMap(loadsOf);
  // A write goes through the services of the runtime.
  assert.equal(
    loaded.filter((path) => path.startsWith('runtime/')),
    ['runtime/services/cluster/kinds.ts'],
  );
});

spec('decision 169: every kind that a pass or command moves has the generation that was decided over', () => {
  assert.equal(
    kinds.filter(({ plural }) => !below(plural, 'status').includes('observedGeneration')).map(({ kind }) => kind),
    ['CoreNetworkLog'],
  );
});

spec('decision 141: every kind with a machine has a history', () => {
  const machined = `coreapps corebackuparchives corebuilds coreconsolesessions coredatabases coredeployments
    corelogicaldatabases coreobjectstores coreplatformconfigs coreprojects`;
  assert.equal(
    kinds.map(({ plural }) => plural).filter((plural) => below(plural, 'status').includes('history')),
    words(machined),
  );
});

spec('decision 141: a history keeps each move with its time and its words', () => {
  for (const plural of ['coreapps', 'corebuilds', 'coreobjectstores', 'coreplatformconfigs', 'coreprojects'])
    assert.equal(
      below(plural, 'status.history[]'),
      ['at', 'by', 'event', 'from', 'item', 'machine', 'params', 'rule', 'seq', 'text', 'to'],
      plural,
    );
});

spec('conditions have the standard schema', () => {
  for (const { plural } of kinds) {
    const conditions = schemaAt(plural, 'status.conditions');
    assert.equal(conditions['x-kubernetes-list-map-keys'], ['type']);
    assert.equal(conditions.items?.required, ['type', 'status', 'reason', 'message', 'lastTransitionTime']);
    assert.equal(conditions.items?.properties?.['status']?.enum, ['True', 'False', 'Unknown']);
  }
});

spec('spec is optional only for kinds without a required field', () => {
  for (const { plural } of kinds) {
    const schema = schemaOf(plural);
    const needed = schema.properties?.['spec']?.required !== undefined;
    assert.equal(schema.required, needed ? ['spec'] : undefined, plural);
  }
});

spec.run();

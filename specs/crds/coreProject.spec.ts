import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { admitted, below, fieldsOf, refusals, schemaAt, words } from './served.ts';

const plural = 'coreprojects';
const spec = suite('CoreProject');
const project = (fields: object = {}) => ({
  metadata: { name: 'shop' },
  spec: { clusterRef: { name: 'local' }, environments: ['production'], ...fields },
});
const accepts = (fields: object) => assert.equal(refusals(plural, project(fields)), [], JSON.stringify(fields));
const refuses = (fields: object) => assert.ok(refusals(plural, project(fields)).length > 0, JSON.stringify(fields));
const many = (count: number, name = 'a') => Array.from({ length: count }, (_, i) => `${name}${i}`);
const variable = (fields: object = {}) => ({ sharedVariables: [{ name: 'A', environment: 'b', ...fields }] });
const hook = (fields: object = {}) => ({ id: 'a1b2c3d4', url: 'https://x', ...fields });
const previews = (fields: object = {}) => ({ prEnvironments: { enabled: true, ...fields } });
const storage = (fields: object) => ({
  backupStorage: { connectionRef: { name: 'cloud' }, bucket: 'core-shop', ...fields },
});
const dns = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$';

spec('the spec has exactly the documented fields', () => {
  assert.equal(
    fieldsOf(plural, 'spec'),
    [
      ...words(`spec.displayName spec.clusterRef spec.clusterRef.name spec.region spec.requiredTags
        spec.environments spec.sharedVariables spec.gitConnectionRef spec.gitConnectionRef.name`),
      ...['name', 'environment', 'value', 'secretRef', 'secretRef.name', 'secretRef.key', 'secretRef.optional'].map(
        (name) => `spec.sharedVariables[].${name}`,
      ),
      ...words('spec.webhooks spec.prEnvironments spec.backupStorage spec.network'),
      ...['id', 'url', 'events', 'disabled'].map((name) => `spec.webhooks[].${name}`),
      ...['enabled', 'baseEnvironment', 'maxOpen'].map((name) => `spec.prEnvironments.${name}`),
      ...['connectionRef', 'connectionRef.name', 'bucket', 'region'].map((name) => `spec.backupStorage.${name}`),
      ...['isolation', 'allowFromProjects'].map((name) => `spec.network.${name}`),
    ].sort(),
  );
});

spec('PRJ-006 displayName is an optional text', () => {
  for (const displayName of ['Überraschung! '.repeat(50), '', undefined]) accepts({ displayName });
  refuses({ displayName: 5 });
});

spec('PRJ-009 a cluster is required', () => {
  refuses({ clusterRef: undefined });
  refuses({ clusterRef: {} });
});

spec('PRJ-012 PRJ-013 the region is a DNS label of at most 40 characters', () => {
  accepts({ region: 'a'.repeat(40) });
  for (const region of ['a'.repeat(41), 'EU', '-eu', 'eu-', 'e.u', '']) refuses({ region });
});

spec('PRJ-016 PRJ-017 PRJ-018 PRJ-019 requiredTags has at most 8 different tags of at most 40 characters', () => {
  accepts({ requiredTags: many(8, 'tag-') });
  refuses({ requiredTags: many(9) });
  refuses({ requiredTags: ['GPU'] });
  refuses({ requiredTags: ['a'.repeat(41)] });
  assert.is(schemaAt(plural, 'spec.requiredTags')['x-kubernetes-list-type'], 'set');
});

spec('PRJ-021 PRJ-022 PRJ-023 1 to 100 environments, each a DNS label of at most 63 characters', () => {
  accepts({ environments: many(100) });
  accepts({ environments: ['a'.repeat(63)] });
  for (const environments of [undefined, [], many(101), ['a'.repeat(64)], ['Production'], ['a_b'], [''], ['-a']])
    refuses({ environments });
});

spec('the schema admits a duplicate environment, which the controller refuses', () => {
  accepts({ environments: ['production', 'production'] });
  assert.is(schemaAt(plural, 'spec.environments')['x-kubernetes-list-type'], undefined);
});

spec('gitConnectionRef is a reference', () => accepts({ gitConnectionRef: { name: 'shop-git' } }));

spec('PRJ-052 PRJ-053 shared variables need a valid name and environment', () => {
  accepts(variable({ name: '_A9' }));
  for (const name of [undefined, '', 'api', '9A', 'A-B', 'A B']) refuses(variable({ name }));
  accepts(variable({ environment: 'a'.repeat(63) }));
  for (const environment of [undefined, '', 'a'.repeat(64), 'A', 'a-']) refuses(variable({ environment }));
});

spec('PRJ-055 PRJ-057 a shared variable has an empty default value or a complete Secret reference', () => {
  assert.is(admitted(plural, project(variable()), 'spec.sharedVariables.0.value'), '');
  assert.equal(refusals(plural, project(variable({ secretRef: { name: 's', key: 'k', optional: true } }))), []);
  assert.ok(refusals(plural, project(variable({ secretRef: { name: 's' } }))).length > 0);
});

spec('PRJ-029 WHK-009 WHK-012 WHK-013 a project has at most 20 webhooks, each as documented', () => {
  accepts({ webhooks: Array.from({ length: 20 }, () => hook()) });
  refuses({ webhooks: Array.from({ length: 21 }, () => hook()) });
  for (const id of [undefined, 'a1b2c3d', 'a1b2c3d4e', 'A1B2C3D4']) refuses({ webhooks: [hook({ id })] });
  accepts({ webhooks: [hook({ url: 'x'.repeat(8) }), hook({ url: 'x'.repeat(2048) })] });
  for (const url of [undefined, 'x'.repeat(7), 'x'.repeat(2049)]) refuses({ webhooks: [hook({ url })] });
  accepts({ webhooks: [hook({ events: ['deployment.started', 'deployment.succeeded', 'deployment.failed'] })] });
  for (const event of ['test', 'deployment', '']) refuses({ webhooks: [hook({ events: [event] })] });
  assert.is(admitted(plural, project({ webhooks: [hook()] }), 'spec.webhooks.0.disabled'), false);
});

spec(
  'PRJ-030 PRJ-072 PRJ-074 PRJ-075 PRJ-076 pull request environments have a base environment and 1 to 25 open ones',
  () => {
    accepts(previews({ baseEnvironment: 'a'.repeat(63), maxOpen: 1 }));
    accepts(previews({ maxOpen: 25 }));
    for (const fields of [
      { enabled: undefined },
      { enabled: 'yes' },
      { maxOpen: 0 },
      { maxOpen: 26 },
      { maxOpen: 1.5 },
    ])
      refuses(previews(fields));
    for (const baseEnvironment of ['a'.repeat(64), 'A', '']) refuses(previews({ baseEnvironment }));
    assert.is(admitted(plural, project(previews()), 'spec.prEnvironments.maxOpen'), 5);
    assert.is(admitted(plural, project(), 'spec.prEnvironments'), undefined);
  },
);

spec('PRJ-031 PRJ-077 PRJ-078 backup storage needs a connection and a valid bucket name', () => {
  accepts(storage({ region: 'anywhere' }));
  refuses(storage({ connectionRef: undefined }));
  refuses(storage({ connectionRef: {} }));
  for (const bucket of ['abc', 'a'.repeat(63), 'a.b-c']) accepts(storage({ bucket }));
  for (const bucket of [undefined, 'ab', 'a'.repeat(64), 'Abc', '.abc', 'abc-', 'a_c']) refuses(storage({ bucket }));
});

spec(
  'PRJ-082 PRJ-083 PRJ-084 PRJ-085 PRJ-086 PRJ-087 network isolation is Project by default, and at most 20 projects are allowed',
  () => {
    assert.is(admitted(plural, project(), 'spec.network'), undefined);
    assert.is(admitted(plural, project({ network: {} }), 'spec.network.isolation'), 'Project');
    assert.is(admitted(plural, project({ network: {} }), 'spec.network.allowFromProjects'), undefined);
    accepts({ network: { isolation: 'None', allowFromProjects: many(20) } });
    refuses({ network: { isolation: 'none' } });
    refuses({ network: { allowFromProjects: many(21) } });
    for (const id of ['a'.repeat(64), 'A', '']) refuses({ network: { allowFromProjects: [id] } });
    assert.is(schemaAt(plural, 'spec.network.allowFromProjects')['x-kubernetes-list-type'], 'set');
  },
);

spec(
  'PRJ-012 PRJ-018 PRJ-022 PRJ-052 PRJ-053 PRJ-074 PRJ-078 PRJ-086 WHK-009 the patterns are the documented ones, to the letter',
  () => {
    for (const path of [
      'spec.region',
      'spec.requiredTags[]',
      'spec.environments[]',
      'spec.network.allowFromProjects[]',
    ])
      assert.is(schemaAt(plural, path).pattern, dns, path);
    for (const path of ['spec.sharedVariables[].environment', 'spec.prEnvironments.baseEnvironment'])
      assert.is(schemaAt(plural, path).pattern, dns, path);
    assert.is(schemaAt(plural, 'spec.sharedVariables[].name').pattern, '^[A-Z_][A-Z0-9_]*$');
    const variable = schemaAt(plural, 'spec.sharedVariables[].environment');
    assert.equal([variable.minLength, variable.maxLength], [1, 63]);
    const bucket = schemaAt(plural, 'spec.backupStorage.bucket');
    assert.equal([bucket.minLength, bucket.maxLength], [3, 63]);
    assert.is(bucket.pattern, '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$');
    assert.is(schemaAt(plural, 'spec.webhooks[].id').pattern, '^[a-z0-9]{8}$');
  },
);

spec('PRJ-091 PRJ-094 PRJ-096 PRJ-098 the status has exactly the documented fields', () => {
  assert.equal(
    below(plural, 'status'),
    words(`phase clusterRef environments causes conditions reconcileRetry webhookDeliveries webhookEvents announcedDeploys
      pullRequests observedGeneration history`),
  );
  assert.equal(below(plural, 'status.clusterRef'), words('name'));
  assert.equal(below(plural, 'status.environments[]'), words('name namespace'));
  assert.equal(
    below(plural, 'status.reconcileRetry'),
    words(`reconcileFailures reconcileFailureStarted reconcileFailureGeneration gaveUp lastFailureAt
      lastFailureKind`),
  );
  assert.equal(
    below(plural, 'status.webhookDeliveries[]'),
    words(`webhookId event deliveryId statusCode error attempts durationMillis time eventId sentAt sentBy endedAt`),
  );
  assert.equal(
    below(plural, 'status.pullRequests[]'),
    words('number repository branch environment url openedAt targetBranch head closedAt'),
  );
});

spec('PRJ-092 PRJ-097 the lists of the status are limited', () => {
  assert.is(schemaAt(plural, 'status.environments').maxItems, 100);
  assert.is(schemaAt(plural, 'status.webhookDeliveries').maxItems, 20);
  assert.is(schemaAt(plural, 'status.pullRequests').maxItems, 50);
});

spec.run();

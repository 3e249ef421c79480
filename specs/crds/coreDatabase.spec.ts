import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { admitted, below, fieldsOf, refusals, schemaAt, words } from './served.ts';

const plural = 'coredatabases';
const spec = suite('CoreDatabase');
const dns = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$';
const database = (fields: object = {}) => ({ metadata: { name: 'orders' }, spec: { engine: 'Postgres', ...fields } });
const accepts = (fields: object) => assert.equal(refusals(plural, database(fields)), [], JSON.stringify(fields));

spec('the spec has exactly the documented fields', () => {
  assert.equal(
    fieldsOf(plural, 'spec'),
    [
      ...words(`spec.project spec.environment spec.engine spec.placement spec.provider spec.mode spec.highAvailability
        spec.connectionRef spec.connectionRef.name spec.databaseName spec.externalHost spec.externalPort
        spec.clusterSize spec.username spec.passwordSecretRef spec.passwordSecretRef.name spec.passwordSecretRef.key
        spec.passwordSecretRef.optional spec.version spec.instances spec.storageSize spec.resources
        spec.resources.requests spec.resources.limits spec.deploy spec.deploy.enabled spec.backup spec.backup.enabled
        spec.backup.retentionDays spec.restoreFrom spec.restoreFrom.archive spec.restoreFrom.restorePoint
        spec.restoreFrom.time spec.runOn spec.runOn.tags spec.serverRegion`),
    ].sort(),
  );
  assert.equal(schemaAt(plural, 'spec').required, ['engine']);
});

spec('a shared server has neither project nor environment', () => accepts({ engine: 'SQLite' }));

spec('the schema accepts SQLite with high availability, which the controller refuses', () =>
  accepts({ engine: 'SQLite', highAvailability: true }),
);

spec('DB-038 clusterSize is any text', () => {
  for (const clusterSize of ['any', '', ' ', 'x'.repeat(5_000)]) accepts({ engine: 'Redis', clusterSize });
});

spec('an external database has a host, a port and a login', () => {
  const passwordSecretRef = { name: 'secret', key: '', optional: true };
  accepts({ placement: 'External', externalHost: 'a.example', externalPort: 1, username: 'a', passwordSecretRef });
  assert.is(schemaAt(plural, 'spec.externalPort').format, 'int32');
});

spec('fields that depend on the engine have no default in the schema (decision 79)', () => {
  for (const name of ['databaseName', 'externalPort', 'clusterSize', 'storageSize', 'resources'])
    assert.is(schemaAt(plural, `spec.${name}`).default, undefined, name);
  for (const name of ['backup', 'restoreFrom', 'runOn', 'connectionRef', 'passwordSecretRef'])
    assert.is(schemaAt(plural, `spec.${name}`).default, undefined, name);
});

spec('DB-046 DB-060 a database defaults to one instance and seven days, and its numbers are int32', () => {
  for (const path of ['spec.instances', 'spec.backup.retentionDays'])
    assert.is(schemaAt(plural, path).format, 'int32', path);
  assert.is(admitted(plural, database(), 'spec.instances'), 1);
  assert.is(admitted(plural, database({ backup: { enabled: true } }), 'spec.backup.retentionDays'), 7);
});

spec('DB-008 DB-066 DB-069 the patterns are the documented ones, to the letter', () => {
  const lengths = { 'spec.environment': 63, 'spec.runOn.tags[]': 40, 'spec.serverRegion': 40 };
  for (const [path, length] of Object.entries(lengths)) {
    const { pattern, maxLength } = schemaAt(plural, path);
    assert.equal([pattern, maxLength], [dns, length], path);
  }
  assert.is(schemaAt(plural, 'spec.runOn.tags').maxItems, 8);
  assert.is(schemaAt(plural, 'spec.runOn.tags')['x-kubernetes-list-type'], 'set');
});

spec('DB-106 DB-109 DB-110 the status of a database has exactly the expected fields', () => {
  assert.equal(
    below(plural, 'status'),
    words(`phase running deployRevision targetNamespace connectionSecret host restoredAt backup managed reconcileRetry
      provision observedGeneration causes conditions history`),
  );
  assert.equal(below(plural, 'status.backup'), words('state message archive lastBackupTime recoveryWindowStart'));
  assert.equal(
    below(plural, 'status.provision'),
    words('activeProvisionAttempt provisionAttempts buildRef deploymentRef'),
  );
  assert.equal(
    below(plural, 'status.reconcileRetry'),
    words(`reconcileFailures reconcileFailureStarted reconcileFailureGeneration gaveUp lastFailureAt
      lastFailureKind`),
  );
});

spec('DB-112 DB-113 DB-114 a database keeps at most 8 attempts of at most 12 errors', () => {
  const attempts = 'status.provision.provisionAttempts';
  assert.is(schemaAt(plural, attempts).maxItems, 8);
  assert.equal(below(plural, `${attempts}[]`), words('id startedAt completedAt phase summary errors afterwards'));
  assert.equal(schemaAt(plural, `${attempts}[].phase`).enum, ['Running', 'Succeeded', 'Failed']);
  assert.is(schemaAt(plural, `${attempts}[].errors`).maxItems, 12);
  assert.equal(below(plural, `${attempts}[].errors[]`), words('recordedAt message'));
});

spec('DB-107 the backup state is one of four', () => {
  assert.equal(schemaAt(plural, 'status.backup.state').enum, ['NeedsStorage', 'Starting', 'Protected', 'AtRisk']);
});

spec('a managed database stores the fields that its table names', () => {
  assert.equal(
    below(plural, 'status.managed'),
    words('phase startedAt login connection database kind storeFailedAt refusedGeneration'),
  );
  assert.equal(schemaAt(plural, 'status.managed.phase').enum, ['Refused', 'Starting', 'LoginIssued', 'Ready']);
});

spec.run();

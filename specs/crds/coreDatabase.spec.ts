import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { below, fieldsOf, refusals, schemaAt, words } from './served.ts';

const plural = 'coredatabases';
const spec = suite('CoreDatabase');
const dns = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$';
const database = (fields: object = {}) => ({ metadata: { name: 'orders' }, spec: { engine: 'Postgres', ...fields } });
const accepts = (fields: object) => assert.equal(refusals(plural, database(fields)), [], JSON.stringify(fields));

spec('the spec has the documented fields, no more', () => {
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

spec('DB-007 DB-010 DB-012 a shared server has neither project nor environment', () => accepts({ engine: 'SQLite' }));

spec('DB-026 DB-036 DB-038 what the controller refuses, the schema admits', () => {
  accepts({ engine: 'SQLite', highAvailability: true });
  accepts({ engine: 'Redis', clusterSize: 'any' });
});

spec('DB-031 DB-032 DB-039 DB-041 DB-042 an external database', () => {
  const passwordSecretRef = { name: 'secret', key: '', optional: true };
  accepts({ placement: 'External', externalHost: 'a.example', externalPort: 1, username: 'a', passwordSecretRef });
  assert.is(schemaAt(plural, 'spec.externalPort').format, 'int32');
});

spec('DB-033 DB-049 DB-050 DB-052 DB-053 what depends on the engine has no default here (decision 79)', () => {
  for (const name of ['databaseName', 'externalPort', 'clusterSize', 'storageSize', 'resources'])
    assert.is(schemaAt(plural, `spec.${name}`).default, undefined, name);
  for (const name of ['backup', 'restoreFrom', 'runOn', 'connectionRef', 'passwordSecretRef'])
    assert.is(schemaAt(plural, `spec.${name}`).default, undefined, name);
});

spec('DB-046 DB-060 numbers are int32', () => {
  for (const path of ['spec.instances', 'spec.backup.retentionDays'])
    assert.is(schemaAt(plural, path).format, 'int32', path);
});

spec('DB-008 DB-066 DB-069 the patterns are the documented ones, to the letter', () => {
  for (const path of ['spec.environment', 'spec.runOn.tags[]', 'spec.serverRegion'])
    assert.is(schemaAt(plural, path).pattern, dns, path);
  assert.is(schemaAt(plural, 'spec.runOn.tags')['x-kubernetes-list-type'], 'set');
});

spec('DB-102 DB-103 DB-104 DB-106 DB-109 DB-110 DB-116 fields of the status', () => {
  assert.equal(
    below(plural, 'status'),
    words(`targetNamespace connectionSecret host restoredAt backup managed reconcileRetry provision conditions
      history`),
  );
  assert.equal(below(plural, 'status.backup'), words('state message archive lastBackupTime recoveryWindowStart'));
  assert.equal(
    below(plural, 'status.provision'),
    words('activeProvisionAttempt provisionAttempts buildRef deploymentRef'),
  );
  assert.is(schemaAt(plural, 'status.provision.provisionAttempts').maxItems, 8);
});

spec('DB-107 the states of backups', () => {
  assert.equal(schemaAt(plural, 'status.backup.state').enum, ['NeedsStorage', 'Starting', 'Protected', 'AtRisk']);
});

spec('the database at its provider, as its table stores it', () => {
  assert.equal(below(plural, 'status.managed'), words('phase startedAt login storeFailedAt refusedGeneration'));
  assert.equal(schemaAt(plural, 'status.managed.phase').enum, ['Refused', 'Starting', 'LoginIssued', 'Ready']);
});

spec.run();

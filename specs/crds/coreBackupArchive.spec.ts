import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { below, fieldsOf, schemaAt, words } from './served.ts';

const plural = 'corebackuparchives';
const spec = suite('CoreBackupArchive');

spec('BAK-035 BAK-036 BAK-037 BAK-038 BAK-040 BAK-042 BAK-047 the spec has exactly the documented fields', () => {
  assert.equal(
    fieldsOf(plural, 'spec'),
    words(`spec.project spec.environment spec.database spec.databaseUID spec.serverName spec.storage
      spec.storage.connectionRef spec.storage.connectionRef.name spec.storage.bucket spec.storage.region
      spec.retentionDays spec.source spec.source.engine spec.source.version spec.source.databaseName
      spec.source.storageSize spec.source.resources spec.source.resources.requests spec.source.resources.limits
      spec.deleteAfter`),
  );
  assert.equal(schemaAt(plural, 'spec').required, [
    'project',
    'environment',
    'database',
    'databaseUID',
    'serverName',
    'storage',
    'retentionDays',
  ]);
  const { format, minimum, maximum } = schemaAt(plural, 'spec.retentionDays');
  assert.equal([format, minimum, maximum], ['int32', 1, 365]);
});

spec('BAK-037 BAK-038 BAK-040 BAK-042 each immutable field has its own message', () => {
  for (const name of ['database', 'databaseUID', 'serverName', 'storage'])
    assert.equal(schemaAt(plural, `spec.${name}`)['x-kubernetes-validations'], [
      { rule: 'self == oldSelf', message: `${name} cannot be changed` },
    ]);
});

spec('BAK-043 BAK-044 BAK-046 storage needs a connection and a valid bucket name', () => {
  assert.equal(schemaAt(plural, 'spec.storage').required, ['connectionRef', 'bucket']);
  assert.is(schemaAt(plural, 'spec.storage.connectionRef.name').default, '');
  const { pattern, minLength, maxLength } = schemaAt(plural, 'spec.storage.bucket');
  assert.equal([pattern, minLength, maxLength], ['^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$', 3, 63]);
  assert.is(schemaAt(plural, 'spec.storage.region').type, 'string');
});

spec('BAK-049 source.engine may be empty or one of the four engines', () => {
  assert.equal(schemaAt(plural, 'spec.source.engine').enum, ['', 'Postgres', 'MySQL', 'SQLite', 'Redis']);
});

spec('BAK-061 the status has the expected fields, and a restore point has an id and a time', () => {
  assert.equal(
    below(plural, 'status'),
    words('lastBackupTime recoveryWindowStart recoveryWindowEnd restorePoints observedGeneration conditions history'),
  );
  assert.is(schemaAt(plural, 'status.restorePoints').maxItems, 100);
  assert.equal(below(plural, 'status.restorePoints[]'), ['id', 'time']);
});

spec.run();

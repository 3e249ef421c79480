import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { below, fieldsOf, schemaAt, schemaOf, words } from './served.ts';

const plural = 'corelogicaldatabases';
const spec = suite('CoreLogicalDatabase');

spec('LDB-007 LDB-009 LDB-011 LDB-013 the spec has the documented fields, all but one of them required', () => {
  const required = ['project', 'environment', 'serverRef', 'databaseName'];
  assert.equal(fieldsOf(plural, 'spec'), [...required, 'connectionLimit'].map((name) => `spec.${name}`).sort());
  assert.equal(schemaAt(plural, 'spec').required, required);
});

spec('LDB-015 the schema does not check databaseName, which the controller does', () => {
  const { pattern, minLength } = schemaAt(plural, 'spec.databaseName');
  assert.equal([pattern, minLength], [undefined, undefined]);
});

spec('LDB-018 the limit of connections is an int32 without a default here', () => {
  const { format, minimum, maximum, default: given } = schemaAt(plural, 'spec.connectionLimit');
  assert.equal([format, minimum, maximum, given], ['int32', 1, 1000, undefined]);
});

spec('the status of a logical database has exactly the expected fields', () => {
  assert.equal(
    below(plural, 'status'),
    words(
      'phase serverInstance connectionSecret jobName database username reconcileRetry provision observedGeneration causes conditions history',
    ),
  );
});

spec('LDB-034 retries and attempts have the schema of CoreDatabase', () => {
  for (const path of ['status.reconcileRetry', 'status.provision'])
    assert.equal(schemaAt(plural, path), schemaAt('coredatabases', path), path);
});

spec('a logical database has no gate and no draft', () => {
  assert.is(schemaAt(plural, 'spec').properties?.['deploy'], undefined);
});

spec('the Job <name>-create has a name of at most 63 characters', () => {
  const [length] = schemaOf(plural)['x-kubernetes-validations'] ?? [];
  assert.is(length?.rule, 'size(self.metadata.name) <= 56');
  assert.is(`${'a'.repeat(56)}-create`.length, 63);
});

spec.run();

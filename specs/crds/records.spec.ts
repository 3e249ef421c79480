import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { below, schemaAt, words } from './served.ts';

const deployments = 'coredeployments';
const sessions = 'coreconsolesessions';
const spec = suite('CoreDeployment, CoreConsoleSession');

spec('DEP-025 DEP-029 DEP-048 DEP-049 a deployment has exactly the documented fields', () => {
  assert.equal(
    below(deployments, 'spec'),
    words(`app project environment image replicas changeTitle source actor commit buildRef imageDigest trigger
      eventLogRef rollbackRef`),
  );
  assert.equal(schemaAt(deployments, 'spec').required, ['app', 'project', 'environment', 'image']);
  for (const name of ['app', 'image', 'eventLogRef', 'rollbackRef'])
    assert.is(schemaAt(deployments, `spec.${name}`).type, 'string');
});

spec('DEP-050 DEP-058 the status of a deployment has the documented fields, and its phase is any text', () => {
  assert.equal(
    below(deployments, 'status'),
    words('phase startedAt completedAt availableReplicas healthCheck observedGeneration conditions history'),
  );
  assert.equal(
    [schemaAt(deployments, 'status.phase').type, schemaAt(deployments, 'status.phase').enum],
    ['string', undefined],
  );
  assert.is(schemaAt(deployments, 'status').required, undefined);
});

spec('CON-010 CON-011 CON-013 CON-015 CON-016 CON-020 a session has exactly the documented fields', () => {
  assert.equal(below(sessions, 'spec'), words('app project environment pod container actor command timeoutSeconds'));
  const required = ['app', 'project', 'environment', 'pod', 'container'];
  assert.equal(schemaAt(sessions, 'spec').required, required);
  for (const name of required) assert.is(schemaAt(sessions, `spec.${name}`).type, 'string', name);
  assert.is(schemaAt(sessions, 'spec.command').type, 'array');
  assert.is(schemaAt(sessions, 'spec.command[]').type, 'string');
});

spec('project and environment may be empty, for the object-store server', () => {
  for (const name of ['project', 'environment']) {
    const { pattern, minLength } = schemaAt(sessions, `spec.${name}`);
    assert.equal([pattern, minLength], [undefined, undefined], name);
  }
});

spec('CON-023 a command has at most eight words', () => assert.is(schemaAt(sessions, 'spec.command').maxItems, 8));

spec('CON-024 the time limit has a default and no range, and the operator corrects it (decision 79)', () => {
  const { type, default: given, minimum, maximum } = schemaAt(sessions, 'spec.timeoutSeconds');
  assert.equal([type, given, minimum, maximum], ['integer', 300, undefined, undefined]);
});

spec('CON-029 the status of a session has the expected fields, with terminal and owedLines (decision 146)', () => {
  assert.equal(
    below(sessions, 'status'),
    words('phase startedAt endedAt reason terminal owedLines observedGeneration conditions history'),
  );
  assert.equal(schemaAt(sessions, 'status.phase').enum, ['', 'Pending', 'Active', 'Expired', 'Closed']);
  assert.equal(below(sessions, 'status.terminal'), ['actor', 'holder', 'since']);
});

spec.run();

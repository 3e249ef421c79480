import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { admitted, below, fieldsOf, refusals, schemaAt, words } from './served.ts';

const plural = 'corebuilds';
const spec = suite('CoreBuild');
const build = (fields: object = {}, status?: object) => ({
  metadata: { name: 'hello-build-0123456789ab' },
  spec: { app: 'hello', project: 'shop', environment: 'production', ...fields },
  ...(status && { status }),
});
const accepts = (fields: object) => assert.equal(refusals(plural, build(fields)), [], JSON.stringify(fields));
const refuses = (fields: object) => assert.ok(refusals(plural, build(fields)).length > 0, JSON.stringify(fields));

spec('the spec has exactly the documented fields', () => {
  const references = ['connectionRef', 'gitCredentialRef', 'credentialRef', 'logStoreRef'];
  assert.equal(
    fieldsOf(plural, 'spec'),
    [
      ...words('app project environment repository revision branch buildfile context waitForCI registry cache'),
      ...references,
      ...references.map((name) => `${name}.name`),
    ]
      .map((name) => `spec.${name}`)
      .sort(),
  );
});

spec('BLD-020 BLD-021 BLD-023 app, project and environment are required', () => {
  accepts({});
  for (const name of ['app', 'project', 'environment']) for (const none of [undefined, 1]) refuses({ [name]: none });
  accepts({ app: 'a'.repeat(36) });
  refuses({ app: 'a'.repeat(37) });
});

spec('the fields of the source are optional, unchecked texts', () => {
  for (const name of ['repository', 'revision', 'branch', 'buildfile', 'context']) {
    accepts({ [name]: '' });
    accepts({ [name]: '../ any text' });
    refuses({ [name]: 1 });
  }
});

spec('BLD-038 waitForCI is a boolean, as is cache, and false by default', () => {
  for (const name of ['waitForCI', 'cache']) refuses({ [name]: 'yes' });
  assert.is(admitted(plural, build(), 'spec.waitForCI'), false);
  assert.is(admitted(plural, build(), 'spec.cache'), false);
});

spec('references are objects with a name', () => {
  for (const name of ['connectionRef', 'gitCredentialRef', 'credentialRef', 'logStoreRef']) {
    accepts({ [name]: { name: 'x' } });
    refuses({ [name]: 'x' });
  }
});

spec('the status has the documented fields, a history, and head and deliveries of pushes', () => {
  assert.equal(
    below(plural, 'status'),
    words(`phase jobRef image imageDigest sourceRevision ciState ciChecks logRef failureReason retryCount
        startedAt completedAt cancelRequested lastLogLine observedGeneration causes conditions history head deliveries`).sort(),
  );
});

spec('BLD-054 a phase is one of the documented, or empty', () => {
  for (const phase of ['', 'Pending', 'WaitingForCI', 'Running', 'Succeeded', 'Failed', 'Cancelled'])
    assert.equal(refusals(plural, build({}, { phase })), [], phase);
});

spec('the schema accepts the documented reset, which sets times and texts to null', () => {
  const reset = { phase: 'Pending', imageDigest: null, startedAt: null, completedAt: null };
  assert.equal(refusals(plural, build({}, reset)), []);
});

spec('the status keeps at most 50 names of checks', () => assert.is(schemaAt(plural, 'status.ciChecks').maxItems, 50));

spec.run();

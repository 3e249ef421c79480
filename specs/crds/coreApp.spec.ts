import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { admitted, below, fieldsOf, refusals, schemaAt, schemaOf, words } from './served.ts';

const plural = 'coreapps';
const spec = suite('CoreApp');
const app = (fields: object = {}) => ({
  metadata: { name: 'hello' },
  spec: { project: 'shop', environment: 'production', source: { image: 'nginx' }, ...fields },
});
const accepts = (fields: object) => assert.equal(refusals(plural, app(fields)), [], JSON.stringify(fields));
const refuses = (fields: object) => assert.ok(refusals(plural, app(fields)).length > 0, JSON.stringify(fields));

spec('the spec has exactly the decided fields (decisions, section 9)', () => {
  const top = fieldsOf(plural, 'spec').filter((path) => path.split('.').length === 2);
  assert.equal(
    top,
    words(`project environment source build port replicas resources autoscaling scaleToZero networking config
        secretData secretRefs secretVariables connectionRefs sharedVariableRefs deploy`)
      .map((name) => `spec.${name}`)
      .sort(),
  );
  assert.equal(below(plural, 'spec.source'), words('function git image imagePullSecretRef'));
  assert.equal(
    below(plural, 'spec.source.git'),
    words('branch buildfile commit context repository waitForCI watchPaths'),
  );
  assert.equal(below(plural, 'spec.source.function'), words('code handler mode runtime schedules'));
  assert.equal(below(plural, 'spec.build'), words('cache logStoreRef registry'));
  assert.equal(below(plural, 'spec.build.registry'), words('credentialRef repository'));
  assert.equal(below(plural, 'spec.autoscaling'), words('cpuPercent enabled max min'));
  assert.equal(below(plural, 'spec.scaleToZero'), words('enabled idleSeconds maxReplicas'));
  assert.equal(below(plural, 'spec.networking'), words('host tls'));
});

spec('decision 42: a name has at most 36 characters, so that names of builds and Jobs fit', () => {
  const rules = schemaOf(plural)['x-kubernetes-validations'];
  assert.equal(
    rules?.map(({ rule }) => rule),
    ['size(self.metadata.name) <= 36'],
  );
  assert.is(`${'a'.repeat(36)}-build-0123456789ab-builder`.length, 63);
});

spec('a service has exactly one source', () => {
  assert.equal(
    schemaAt(plural, 'spec.source')['x-kubernetes-validations']?.map(({ rule }) => rule),
    ['(has(self.image) ? 1 : 0) + (has(self.git) ? 1 : 0) + (has(self.__function__) ? 1 : 0) == 1'],
  );
});

spec('project, environment and source are required', () => {
  for (const name of ['project', 'environment', 'source']) refuses({ [name]: undefined });
  for (const environment of ['Production', 'a'.repeat(64), '']) refuses({ environment });
  refuses({ project: '' });
  refuses({ source: { image: '' } });
});

spec('a service is a draft until spec.deploy.enabled is set', () => {
  assert.is(admitted(plural, app(), 'spec.deploy.enabled'), false);
  assert.is(admitted(plural, app({ deploy: {} }), 'spec.deploy.enabled'), false);
  assert.is(admitted(plural, app({ deploy: { enabled: true } }), 'spec.deploy.enabled'), true);
});

spec('a repository source needs its repository; waitForCI and cache are false by default', () => {
  const git = app({ source: { git: { repository: 'demo/hello' } }, build: {} });
  assert.equal(refusals(plural, git), []);
  refuses({ source: { git: { branch: 'main' } } });
  refuses({ source: { git: { repository: '' } } });
  assert.is(admitted(plural, git, 'spec.source.git.waitForCI'), false);
  assert.is(admitted(plural, git, 'spec.build.cache'), false);
});

spec('a function needs a valid runtime and code', () => {
  const lambda = { runtime: 'node', code: 'export default 1' };
  for (const runtime of ['bun', 'node', 'python']) accepts({ source: { function: { ...lambda, runtime } } });
  for (const mode of ['http', 'event']) accepts({ source: { function: { ...lambda, mode } } });
  for (const bad of [{ runtime: 'ruby' }, { runtime: undefined }, { code: undefined }, { mode: 'cron' }])
    refuses({ source: { function: { ...lambda, ...bad } } });
  const hourly = { name: 'hourly', cron: '0 * * * *' };
  accepts({ source: { function: { ...lambda, schedules: [hourly] } } });
  for (const bad of [{ name: 'Hourly' }, { name: 'a'.repeat(64) }, { name: undefined }, { cron: '' }])
    refuses({ source: { function: { ...lambda, schedules: [{ ...hourly, ...bad }] } } });
});

spec('port, replicas, idleSeconds and autoscaling must be within their ranges', () => {
  accepts({ port: 65_535, replicas: 1000, scaleToZero: { enabled: true, idleSeconds: 30 } });
  accepts({ port: 1, replicas: 0, scaleToZero: { enabled: true, idleSeconds: 86_400 } });
  for (const bad of [{ port: 0 }, { port: 65_536 }, { replicas: -1 }, { replicas: 1001 }]) refuses(bad);
  const autoscaling = { enabled: true, min: 1, max: 1, cpuPercent: 100 };
  accepts({ autoscaling, networking: { host: 'a'.repeat(253), tls: true } });
  for (const bad of [{ min: 0 }, { max: 0 }, { cpuPercent: 0 }, { cpuPercent: 101 }])
    refuses({ autoscaling: { ...autoscaling, ...bad } });
  refuses({ scaleToZero: { enabled: true, maxReplicas: 0 } });
  refuses({ networking: { host: 'a'.repeat(254) } });
  for (const idleSeconds of [29, 86_401]) refuses({ scaleToZero: { enabled: true, idleSeconds } });
});

spec('resources must be quantities', () => {
  for (const cpu of ['250m', '1', 2, '0.5', '1e3', '1Gi']) accepts({ resources: { requests: { cpu } } });
  for (const cpu of ['much', '', '1 Gi', '-1', true]) {
    refuses({ resources: { limits: { cpu } } });
    refuses({ resources: { requests: { cpu } } });
  }
});

spec('sharedVariableRefs are names, and config values are texts', () => {
  accepts({ sharedVariableRefs: ['API_URL'], config: { A: 'b' }, secretRefs: [{ name: 'keys' }] });
  refuses({ config: { A: 1 } });
});

spec('the status has the fields that describe a service', () => {
  assert.equal(
    below(plural, 'status'),
    words(`causes conditions currentBuild deployRevision history observedGeneration phase provision reconcileRetry recordedDeploy resolvedImage scaleToZero
      takenUpImage targetNamespace url`),
  );
});

spec('provisioning attempts: the newest 8 with up to 12 errors each', () => {
  assert.equal(
    below(plural, 'status.provision'),
    words('activeProvisionAttempt buildRef deploymentRef provisionAttempts'),
  );
  assert.equal(
    below(plural, 'status.provision.provisionAttempts[]'),
    words('afterwards completedAt errors id phase startedAt summary'),
  );
  assert.is(schemaAt(plural, 'status.provision.provisionAttempts').maxItems, 8);
  assert.is(schemaAt(plural, 'status.provision.provisionAttempts[].errors').maxItems, 12);
  assert.equal(schemaAt(plural, 'status.provision.provisionAttempts[].phase').enum, ['Running', 'Succeeded', 'Failed']);
});

spec.run();

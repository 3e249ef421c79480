import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import type { Secret } from '../../../crds/builtIn.ts';
import { type CoreApp, coreApp } from '../../../crds/coreApp.ts';
import { typeMeta } from '../../../crds/kind.ts';
import { conditionOf } from '../../../rules/condition.ts';
import type { FunctionSource } from '../../../rules/function/runtimes.ts';
import { appController } from '../../../runtime/controllers/app/controller.ts';
import type { CacheReader } from '../../../runtime/cache/reader.ts';
import { settledToken } from '../../../runtime/controllers/app/owned/functionToken.ts';
import { apps, everyKind, projects } from '../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import { namespaces } from '../../../runtime/services/cluster/resources.ts';
import { Cluster, type ClusterShape } from '../../../runtime/services/cluster/cluster.ts';
import { Passwords } from '../../../runtime/services/passwords.ts';
import { secretText } from '../../../runtime/services/secretText.ts';
import { putDatabaseEnvironment } from '../../support/database.ts';
import { functionApp } from '../../support/function.ts';
import { inSystem, pieceIn } from '../../support/project.ts';
import { suite } from '../../support/suite.ts';
import { virtualTime } from '../../support/virtualTime.ts';
import { makeTestEnvironment } from '../../support/environment.ts';

const spec = suite('functions under the operator');

const schedules = [{ name: 'nightly', cron: '0 3 * * *' }];

/** A function without a gate, written by hand. Time advances only on request. */
async function functionSession(source: Partial<FunctionSource>) {
  const time = virtualTime();
  const environment = makeTestEnvironment({
    now: time.wall,
    controllers: [appController({ gitUrl: 'https://git.example' })],
    alsoSeen: everyKind,
  });
  putDatabaseEnvironment(environment);
  const app = () => environment.cluster.all(apps).find(({ metadata }) => metadata.name === 'greet');
  const put = (spec: Partial<CoreApp['spec']>) => {
    const found = app();
    environment.cluster.put(apps, {
      ...typeMeta(coreApp),
      metadata: { ...(found?.metadata ?? inSystem('greet')), generation: (found?.metadata.generation ?? 0) + 1 },
      spec: {
        project: 'shop',
        environment: 'production',
        source: { function: { runtime: 'python', code: 'one', mode: 'event', schedules, ...source } },
        deploy: { enabled: true },
        ...found?.spec,
        ...spec,
      },
      ...(found?.status === undefined ? {} : { status: found.status }),
    });
  };
  put({});
  const { crash } = await time.wait(environment.start(undefined, time.over(environment.services)));
  const pass = async (seconds: number) => {
    const until = time.now() + seconds * 1_000;
    await time.settle();
    for (let next = time.next(); next !== undefined && next <= until; next = time.next()) await time.moveTo(next);
    await time.moveTo(until);
  };
  await pass(60);
  const trigger = (namespace?: string) => pieceIn(environment, owned.secrets, 'greet-trigger', namespace);
  return {
    environment,
    pass,
    put,
    ready: () => {
      const { reason, message } = conditionOf(app(), 'Ready') ?? {};
      return `${reason} ${message}`;
    },
    token: (namespace?: string) => secretText(trigger(namespace), 'CORE_TRIGGER_TOKEN'),
    trigger,
    deployment: () => pieceIn(environment, owned.deployments, 'greet'),
    code: () => pieceIn(environment, owned.configMaps, 'greet-function') as { readonly data?: Record<string, string> },
    end: () => time.wait(crash()),
  };
}

spec(
  'SEC-021 the token of a function is generated once, and another one only when its Secret was deleted',
  async () => {
    const session = await functionSession({});
    const first = session.token();
    assert.match(first, /^password-\d+$/);
    const before = JSON.stringify(session.deployment());
    session.put({ source: { function: { runtime: 'python', code: 'two', mode: 'event', schedules } } });
    await session.pass(120);
    assert.is(session.token(), first);
    assert.is(session.code().data?.['code.py'], 'two');
    assert.is.not(JSON.stringify(session.deployment()), before, 'its pods are replaced');
    const live = session.trigger();
    if (live) session.environment.cluster.put(owned.secrets, { ...live, data: {} });
    await session.pass(120);
    assert.match(session.token(), /^password-\d+$/);
    assert.is.not(session.token(), first);
    await session.end();
  },
);

spec('a token that the cache does not show yet is read directly, and a cached one costs no call', async () => {
  const environment = makeTestEnvironment();
  const app: CoreApp = functionApp({ runtime: 'node', code: 'one', mode: 'event' });
  const data = { CORE_TRIGGER_TOKEN: Buffer.from('kept').toString('base64') };
  const kept = { metadata: { name: 'greet-trigger', namespace: 'shop-production' }, data };
  const reader = (secret: Secret | undefined) => ({ get: () => secret }) as unknown as CacheReader;
  let calls = 0;
  const counted: ClusterShape = {
    ...environment.cluster,
    get: (resource, name) => {
      calls += 1;
      return environment.cluster.get(resource, name);
    },
  };
  const settled = (secret?: Secret) =>
    Effect.runPromise(
      settledToken(app, app.spec, reader(secret)).pipe(
        Effect.provideService(Cluster, counted),
        Effect.provideService(Passwords, { draw: Effect.succeed('drawn') }),
      ),
    );
  assert.is(await settled(), 'drawn');
  environment.cluster.put(owned.secrets, kept);
  assert.equal([await settled(), calls], ['kept', 2]);
  assert.equal([await settled(kept), calls], ['kept', 2]);
});

spec('code that is too long is a permanent error, and nothing is applied', async () => {
  const session = await functionSession({ code: 'a'.repeat(120_001) });
  assert.is(session.ready(), 'ProvisionFailed code must be at most 120000 bytes');
  assert.is(session.deployment(), undefined);
  session.put({ source: { function: { runtime: 'python', code: 'a'.repeat(120_000) } } });
  await session.pass(60);
  assert.ok(session.deployment());
  await session.end();
});

spec('code, token and schedules of a function are deleted with the function and moved with it', async () => {
  const session = await functionSession({});
  const { environment } = session;
  const resourcesIn = (namespace: string) =>
    [owned.configMaps, owned.secrets, owned.cronJobs, owned.deployments].flatMap((resource) =>
      environment.cluster
        .all(resource)
        .filter((one) => one.metadata.namespace === namespace)
        .map(({ metadata: { name } }) => `${resource.kind} ${name}`),
    );
  const all = ['ConfigMap greet-function', 'Secret greet-trigger', 'CronJob greet-nightly', 'Deployment greet'];
  assert.equal(resourcesIn('shop-production'), all);
  const [project] = environment.cluster.all(projects);
  if (project)
    environment.cluster.put(projects, {
      ...project,
      spec: { ...project.spec, environments: ['production', 'staging'] },
    });
  environment.cluster.put(namespaces, { metadata: { name: 'shop-staging' } });
  session.put({ environment: 'staging' });
  await session.pass(120);
  assert.equal([resourcesIn('shop-production'), resourcesIn('shop-staging')], [[], all]);
  await Effect.runPromise(environment.cluster.remove(apps, { name: 'greet' }));
  await session.pass(120);
  assert.equal(resourcesIn('shop-staging'), []);
  await session.end();
});

spec.run();

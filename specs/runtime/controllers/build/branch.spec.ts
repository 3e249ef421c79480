import * as assert from 'uvu/assert';
import { coreApp, type CoreApp } from '../../../../crds/coreApp.ts';
import type { CoreBuild } from '../../../../crds/coreBuild.ts';
import { coreGitHostConnection } from '../../../../crds/coreGitHostConnection.ts';
import { coreProject } from '../../../../crds/coreProject.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import { apps, builds, connections, projects } from '../../../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../../../runtime/services/cluster/resources.ts';
import { suite } from '../../../support/suite.ts';
import { virtualTime } from '../../../support/virtualTime.ts';
import { makeTestEnvironment } from '../../../support/environment.ts';

const spec = suite('the heads of branches');
const inSystem = (name: string) => ({ name, namespace: 'core-system' });
const minute = 60_000;
const sha = (character: string) => character.repeat(40);

const service = (name: string, git: object = {}, over: Partial<CoreApp['spec']> = {}): CoreApp => ({
  ...typeMeta(coreApp),
  metadata: inSystem(name),
  spec: {
    project: 'demo',
    environment: 'production',
    source: { git: { repository: `demo/${name}`, branch: 'main', waitForCI: false, ...git } },
    build: { registry: { repository: `registry.local/${name}` }, cache: false },
    deploy: { enabled: true },
    ...over,
  },
});

/** Services of a project that is linked to the Git host, and operators over them that start and stop. */
function stage(names: readonly string[], git: object = {}) {
  const time = virtualTime();
  const environment = makeTestEnvironment({ now: time.wall });
  environment.cluster.put(projects, {
    ...typeMeta(coreProject),
    metadata: inSystem('demo'),
    spec: { clusterRef: { name: 'local' }, environments: ['production'], gitConnectionRef: { name: 'host' } },
  });
  environment.cluster.put(connections, {
    ...typeMeta(coreGitHostConnection),
    metadata: inSystem('host'),
    spec: { project: 'demo', secretRef: { name: 'host-token' } },
  });
  environment.cluster.put(secrets, { metadata: inSystem('host-token'), data: { token: 'dG9rZW4=' } });
  for (const name of names) environment.cluster.put(apps, service(name, git));
  const pass = async (ms: number) => {
    const until = time.now() + ms;
    await time.settle();
    for (let next = time.next(); next !== undefined && next <= until; next = time.next()) {
      await time.moveTo(next);
      await time.settle();
    }
    await time.moveTo(until);
    await time.settle();
  };
  const start = async () => {
    const operator = await time.wait(environment.start(undefined, time.over(environment.services)));
    await time.settle();
    return () => time.wait(operator.crash());
  };
  const buildOf = (name: string): CoreBuild => {
    const found = environment.cluster.all(builds).find(({ spec: { app } }) => app === name);
    if (!found) throw new Error(`${name} has no build`);
    return found;
  };
  const pushes = (name: string) => buildOf(name).status?.history?.filter(({ event }) => event === 'pushed') ?? [];
  const asked = () => environment.git.asked.splice(0).filter((question) => question.startsWith('commit'));
  const finish = async (name: string) => {
    environment.endJob(buildOf(name).metadata.name, 'Complete');
    await pass(10_000);
  };
  return { time, environment, pass, start, buildOf, pushes, asked, finish };
}

/** A service with a build, and the operator stopped. */
async function built(git: object = {}) {
  const on = stage(['shop'], git);
  const stop = await on.start();
  await on.pass(minute);
  await on.finish('shop');
  assert.is(on.buildOf('shop').status?.phase, 'Succeeded');
  await stop();
  on.asked();
  return on;
}

spec('BLD-169 a push during downtime is built after the start, once, and recorded as found', async () => {
  const { environment, start, pass, buildOf, pushes, finish } = await built();
  environment.git.commit = { is: 'found', value: sha('d') };
  const stop = await start();
  await pass(10_000);
  await finish('shop');
  assert.equal([buildOf('shop').status?.phase, buildOf('shop').status?.sourceRevision], ['Succeeded', sha('d')]);
  await pass(35 * minute);
  assert.equal(
    pushes('shop').map(({ by, text }) => [by, text]),
    [['operator', 'the branch was found at dddddddddddd, which no webhook reported']],
  );
  await stop();
});

spec('a known head is checked every ten minutes and moves nothing', async () => {
  const { environment, start, pass, pushes, asked } = await built();
  const writes = () => environment.cluster.all(builds)[0]?.metadata.resourceVersion;
  const before = writes();
  const stop = await start();
  await pass(minute);
  assert.equal(asked(), ['commit demo/shop main'], 'once after a start');
  await pass(30 * minute);
  assert.is(asked().length, 3, 'and every ten minutes');
  assert.is(writes(), before);
  assert.is(pushes('shop').length, 0);
  await stop();
});

spec('GIT-006 a new head is not a push when the Git host reported it as changing no watched file', async () => {
  const { environment, start, pass, buildOf, pushes } = await built({ watchPaths: ['docs/**'] });
  environment.git.commit = { is: 'found', value: sha('d') };
  const build = buildOf('shop');
  environment.cluster.put(builds, { ...build, status: { ...build.status, head: sha('d') } });
  const stop = await start();
  await pass(25 * minute);
  assert.is(pushes('shop').length, 0);
  environment.git.commit = { is: 'found', value: sha('e') };
  await pass(10 * minute);
  assert.is(pushes('shop').length, 1, 'which files a push changed that nobody told of is not known');
  await stop();
});

spec('GIT-003 GIT-005 drafts and pinned commits cause no requests for a head', async () => {
  for (const [git, over] of [
    [{}, { deploy: { enabled: false } }],
    [{ commit: sha('c') }, {}],
  ] as const) {
    const { environment, start, pass, asked, pushes } = await built(git);
    const [app] = environment.cluster.all(apps);
    if (app) environment.cluster.put(apps, { ...app, spec: { ...app.spec, ...over } });
    environment.git.commit = { is: 'found', value: sha('d') };
    const stop = await start();
    await pass(25 * minute);
    assert.equal(asked(), []);
    assert.is(pushes('shop').length, 0);
    await stop();
  }
});

spec('a build waits for a rate limit, and retries a silent host after a minute', async () => {
  const { time, environment, start, pass, asked, pushes } = await built();
  environment.git.commit = { is: 'limited', until: time.wall() + 25 * minute };
  const stop = await start();
  await pass(24 * minute);
  assert.is(asked().length, 1);
  environment.git.commit = { is: 'silent', why: 'down' };
  await pass(2 * minute);
  assert.is(asked().length, 1);
  environment.git.commit = { is: 'found', value: sha('d') };
  await pass(2 * minute);
  assert.is(pushes('shop').length, 1);
  await stop();
});

spec('heads of many services are requested one after another, each once in ten minutes', async () => {
  const names = Array.from({ length: 24 }, (_, index) => `shop-${index}`);
  const { environment, start, pass, asked, finish } = stage(names);
  const first = await start();
  await pass(minute);
  for (const name of names) await finish(name);
  await first();
  asked();
  const stop = await start();
  const perSecond: number[] = [];
  for (let second = 0; second < 7; second++) {
    await pass(1_000);
    perSecond.push(asked().length);
  }
  assert.is(
    perSecond.reduce((sum, count) => sum + count, 0),
    names.length,
    'all of them within their share of time',
  );
  assert.ok(Math.max(...perSecond) <= 10, `at most ${Math.max(...perSecond)} in a second`);
  await pass(10 * minute);
  assert.is(asked().length, names.length);
  assert.ok(environment.cluster.all(builds).every(({ status }) => status?.phase === 'Succeeded'));
  await stop();
});
spec.run();

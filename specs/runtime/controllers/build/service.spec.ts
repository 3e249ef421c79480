import * as assert from 'uvu/assert';
import { coreApp, type CoreApp } from '../../../../crds/coreApp.ts';
import type { CoreBuild } from '../../../../crds/coreBuild.ts';
import { coreGitHostConnection } from '../../../../crds/coreGitHostConnection.ts';
import { type CorePlatformConfig, corePlatformConfig } from '../../../../crds/corePlatformConfig.ts';
import { coreProject } from '../../../../crds/coreProject.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import { apps, builds, connections, platformConfigs, projects } from '../../../../runtime/services/cluster/kinds.ts';
import { jobs, secrets } from '../../../../runtime/services/cluster/resources.ts';
import { suite } from '../../../support/suite.ts';
import { virtualTime } from '../../../support/virtualTime.ts';
import { userBuild, labelled, makeTestEnvironment, type TestEnvironment } from '../../../support/environment.ts';

const spec = suite('builds of a service');
const inSystem = (name: string) => ({ name, namespace: 'core-system' });

/** A deployed service with a repository, as another client would write it. */
const shop = (git: object = {}, registry = 'registry.local/apps/shop'): CoreApp => ({
  ...typeMeta(coreApp),
  metadata: inSystem('shop'),
  spec: {
    project: 'demo',
    environment: 'production',
    source: { git: { repository: 'demo/shop', branch: 'main', commit: 'a'.repeat(40), waitForCI: false, ...git } },
    ...(registry === '' ? {} : { build: { registry: { repository: registry }, cache: false } }),
    deploy: { enabled: true },
  },
});

/** A running operator over a project and a service; `settle` waits until it is idle. */
async function start(app: CoreApp, before: (cluster: TestEnvironment['cluster']) => void = () => {}) {
  const time = virtualTime();
  const environment = makeTestEnvironment();
  environment.cluster.put(projects, {
    ...typeMeta(coreProject),
    metadata: inSystem('demo'),
    spec: { clusterRef: { name: 'local' }, environments: ['production'] },
  });
  before(environment.cluster);
  environment.cluster.put(apps, app);
  const operator = await time.wait(environment.start(undefined, time.over(environment.services)));
  await time.settle();
  const names = () => environment.cluster.all(builds).map(({ metadata }) => metadata.name);
  const current = () => environment.cluster.all(apps)[0]?.status?.currentBuild;
  const change = async (to: CoreApp) => {
    const old = environment.cluster.all(apps)[0];
    environment.cluster.put(apps, { ...to, ...(old?.status ? { status: old.status } : {}) });
    await time.settle();
  };
  const end = () => time.wait(operator.crash());
  return { environment, time, names, current, change, end };
}

spec(
  'BLD-001 BLD-055 BLD-146 a service with a repository and a registry gets an owned and labelled build and runs its image',
  async () => {
    const { environment, names, current, end } = await start(shop());
    const [build] = environment.cluster.all(builds);
    assert.match(build?.metadata.name ?? '', /^shop-build-[0-9a-f]{12}$/);
    assert.equal(names(), [current()]);
    assert.is(build?.metadata.labels?.['core.platform/app'], 'shop');
    assert.is(build?.metadata.ownerReferences?.[0]?.name, 'shop');
    assert.is(build?.status?.phase, 'Running');
    const made = environment.cluster.created.find(({ plural }) => plural === builds.plural)?.object as
      { status?: unknown } | undefined;
    assert.is(made?.status, undefined, 'a build is made with an empty status');
    await end();
  },
);

spec('PLC-024 PLC-044 a service without a registry uses that of the platform, exactly as written', async () => {
  const repository = 'registry.local:5000/team/apps:fixed';
  const platform = (cluster: TestEnvironment['cluster']) =>
    void cluster.put(platformConfigs, {
      ...typeMeta(corePlatformConfig),
      metadata: inSystem('platform'),
      spec: { registry: { repository } },
    } as CorePlatformConfig);
  for (const [own, destination] of [
    ['', repository],
    ['registry.local/own', 'registry.local/own'],
  ] as const) {
    const { environment, end } = await start(shop({}, own), platform);
    const [job] = environment.cluster.all(jobs);
    assert.ok(JSON.stringify(job?.spec).includes(`"--destination=${destination}"`), own);
    await end();
  }
});

spec('PRJ-026 a build reads through the connection that its project names in core-system', async () => {
  const { environment, end } = await start(shop(), (cluster) => {
    for (const [name, namespace, secret] of [
      ['named', 'core-system', 'its-token'],
      ['named', 'elsewhere', 'another-token'],
      ['other', 'core-system', 'other-token'],
    ] as const)
      cluster.put(connections, {
        ...typeMeta(coreGitHostConnection),
        metadata: { name, namespace },
        spec: { project: 'demo', secretRef: { name: secret }, installationID: 1 },
      });
    cluster.put(secrets, { metadata: inSystem('its-token'), data: {} });
    const [project] = cluster.all(projects);
    if (project) cluster.put(projects, { ...project, spec: { ...project.spec, gitConnectionRef: { name: 'named' } } });
  });
  const [build] = environment.cluster.all(builds);
  assert.equal([build?.spec.connectionRef, build?.spec.gitCredentialRef], [{ name: 'named' }, { name: 'its-token' }]);
  await end();
});

spec('BLD-053 a service without a registry, a repository or a deploy gets no build', async () => {
  const image = { ...shop().spec, source: { image: 'nginx:1' } } as CoreApp['spec'];
  const draft = { ...shop().spec, deploy: { enabled: false } };
  for (const app of [shop({}, ''), { ...shop(), spec: image }, { ...shop(), spec: draft }]) {
    const { names, end } = await start(app);
    assert.equal(names(), []);
    await end();
  }
});

spec(
  'BLD-010 BLD-099 BLD-100 a changed setting creates another build, and the first build is current when it is changed back',
  async () => {
    const { environment, names, current, change, end } = await start(shop());
    const first = current();
    const specOfFirst = () => JSON.stringify(environment.build(first ?? '')?.spec);
    const text = specOfFirst();
    assert.ok(text);
    await change(shop({ context: 'web' }));
    assert.is(names().length, 2);
    assert.is.not(current(), first);
    assert.is(specOfFirst(), text, 'the old build keeps its spec');
    await change(shop());
    assert.is(current(), first);
    assert.is(names().length, 2);
    await end();
  },
);

spec('BLD-110 a deleted build is created under the same name with another run', async () => {
  const { environment, time, names, end } = await start(shop());
  const before = environment.cluster.all(builds)[0];
  environment.cluster.drop(builds, before?.metadata.name ?? '');
  await time.settle();
  const after = environment.cluster.all(builds)[0];
  assert.equal(names(), [before?.metadata.name]);
  assert.is.not(after?.metadata.uid, before?.metadata.uid);
  const made = environment.cluster.created.filter(({ plural }) => plural === builds.plural).at(-1)?.object;
  assert.equal([made?.metadata.uid, (made as CoreBuild | undefined)?.status], [after?.metadata.uid, undefined]);
  await end();
});

spec('BLD-111 a build whose name no service owns is built and never current', async () => {
  const { environment, time, current, end } = await start(shop());
  const first = current();
  const owned = environment.cluster.all(builds)[0];
  assert.ok(owned);
  environment.cluster.put(builds, {
    ...typeMeta(coreApp),
    kind: 'CoreBuild',
    metadata: inSystem('stray'),
    spec: owned.spec,
  });
  await time.settle();
  assert.is(environment.build('stray')?.status?.phase, 'Running');
  assert.is(current(), first);
  await end();
});

/** This many finished builds of a service, the oldest first, each named after the service by default. */
const finished = (app: string, count: number, prefix = `${app}-build-`): readonly CoreBuild[] =>
  Array.from({ length: count }, (_, index) => {
    const status = { phase: 'Failed', logRef: 'pod-log://x/builder' } as const;
    const { metadata, ...rest } = labelled(userBuild(`${prefix}${String(index).padStart(2, '0')}`, { app }, status));
    const creationTimestamp = `2026-01-01T00:00:${String(index).padStart(2, '0')}Z`;
    return { ...rest, metadata: { ...metadata, uid: `uid-of-${metadata.name}`, creationTimestamp } };
  });

spec(
  'BLD-018 BLD-096 BLD-176 a success removes the oldest finished builds that bear the label of its service, and their Jobs',
  async () => {
    const { environment, time, names, current, end } = await start(shop());
    const mine = finished('shop', 11, 'odd-');
    const others = [...finished('shop-build', 12), ...finished('other', 12, 'shop-build-of-')];
    for (const build of [...mine, ...others]) environment.cluster.put(builds, build);
    const [oldest, next] = mine.map(({ metadata }) => metadata);
    const ownerReferences = [
      { apiVersion: 'core.platform/v1alpha1', kind: 'CoreBuild', name: 'odd-01', uid: next?.uid ?? '' },
    ];
    environment.cluster.put(jobs, { metadata: { ...inSystem('odd-01-builder'), ownerReferences }, spec: {} });
    await time.settle();
    assert.is(names().length, 36);
    environment.endJob(current() ?? '', 'Complete');
    await time.settle();
    assert.equal(
      mine.map(({ metadata }) => metadata.name).filter((name) => !names().includes(name)),
      [oldest?.name, next?.name],
    );
    assert.is(environment.build(current() ?? '')?.status?.phase, 'Succeeded');
    for (const { metadata } of others) assert.ok(names().includes(metadata.name), metadata.name);
    assert.not.ok(environment.cluster.all(jobs).some(({ metadata }) => metadata.name === 'odd-01-builder'));
    await end();
  },
);

spec('BLD-019 a build from before the service label gets the label', async () => {
  const environment = makeTestEnvironment();
  const time = virtualTime();
  environment.cluster.put(builds, {
    ...typeMeta(coreApp),
    kind: 'CoreBuild',
    metadata: inSystem('old'),
    spec: { app: 'shop', project: 'demo', environment: 'production', waitForCI: false, cache: false },
  });
  const operator = await time.wait(environment.start(undefined, time.over(environment.services)));
  await time.settle();
  assert.is(environment.build('old')?.metadata.labels?.['core.platform/app'], 'shop');
  await time.wait(operator.crash());
});

spec.run();

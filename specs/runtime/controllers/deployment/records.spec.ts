import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { type AppSpec, coreApp } from '../../../../crds/coreApp.ts';
import { type CoreDeployment, coreDeployment } from '../../../../crds/coreDeployment.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import { annotation } from '../../../../crds/names.ts';
import { historyOf } from '../../../../runtime/step/history.ts';
import { apps, deployments } from '../../../../runtime/services/cluster/kinds.ts';
import { Unavailable } from '../../../../runtime/services/cluster/cluster.ts';
import { activeIn, appIn, putService, recordsIn, workloadIn } from '../../../support/deployed.ts';
import { inSystem } from '../../../support/project.ts';
import { suite } from '../../../support/suite.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import { type ServiceSession, serviceSession } from './session.ts';

const spec = suite('the records of deploys');

async function withSession(given: Partial<AppSpec>, test: (session: ServiceSession) => Promise<void>) {
  const session = await serviceSession(given);
  try {
    await test(session);
  } finally {
    await session.end();
  }
}

const built = `registry.local/apps/web@sha256:${'b'.repeat(64)}`;
const git = { source: { git: { repository: 'acme/web', branch: 'main', waitForCI: false } } } as const;
const serverless = { source: { function: { runtime: 'bun', code: 'export default 1' } } } as const;
const away = new Unavailable({ message: 'the process is dead' });
const recordIn = ({ environment }: ServiceSession, name: string): CoreDeployment => {
  const found = recordsIn(environment).find(({ metadata }) => metadata.name === name);
  if (!found) throw new Error(`there is no record ${name}`);
  return found;
};

/** A record as somebody else may have left it. */
const putRecord = (
  { cluster }: TestEnvironment,
  name: string,
  { labels, annotations, status }: Partial<CoreDeployment['metadata']> & Pick<CoreDeployment, 'status'>,
) =>
  cluster.put(deployments, {
    ...typeMeta(coreDeployment),
    metadata: { ...inSystem(name), ...(labels && { labels }), ...(annotations && { annotations }) },
    spec: { app: 'web', project: 'shop', environment: 'production', image: 'nginx:1' },
    ...(status && { status }),
  });
const ofWeb = { 'core.platform/app': 'web' };

spec(
  'DEP-008 DEP-010 DEP-022 DEP-030 DEP-035 DEP-036 DEP-039 DEP-042 DEP-045 DEP-047 DEP-051 DEP-055 DEP-059 DEP-083 a deploy of an image is recorded',
  () =>
    withSession({}, async (session) => {
      await session.pass(60);
      assert.equal(session.records(), []);
      await session.deploy('web-aaaaa');
      const { metadata, spec: said, status } = recordIn(session, 'web-aaaaa');
      assert.equal(metadata.labels, {
        'core.platform/managed-by': 'core',
        'core.platform/app': 'web',
        'core.platform/project': 'shop',
        'core.platform/environment': 'production',
      });
      assert.equal(said, {
        app: 'web',
        project: 'shop',
        environment: 'production',
        image: 'nginx:1.27',
        replicas: 2,
        changeTitle: 'Deploy nginx:1.27',
        source: 'Dashboard',
        actor: 'Dashboard',
        imageDigest: 'nginx:1.27',
      });
      const deployed = historyOf(session.app()).find(({ event }) => event === 'deployed');
      assert.equal([status?.phase, status?.startedAt, status?.completedAt], ['Recorded', deployed?.at, deployed?.at]);
      assert.is(session.app().metadata.annotations?.[annotation.deployRevision], 'web-aaaaa');
      assert.is(session.app().status?.recordedDeploy, 'web-aaaaa');
    }),
);

spec('DEP-009 DEP-012 a redeploy and a recorded save create a record each, another save creates none', () =>
  withSession({ networking: { host: 'web.example.com' } }, async (session) => {
    await session.deploy('web-aaaaa');
    await session.deploy('web-bbbbb');
    await session.ask({ is: 'save', spec: { replicas: 3 } });
    await session.pass(2);
    assert.equal(session.records(), ['web-aaaaa', 'web-bbbbb']);
    await session.ask({ is: 'save', spec: { networking: { host: null } }, record: 'web-ccccc' });
    await session.pass(2);
    assert.equal(session.records(), ['web-aaaaa', 'web-bbbbb', 'web-ccccc']);
    assert.equal([recordIn(session, 'web-ccccc').spec.replicas, session.app().spec.networking], [3, {}]);
    assert.is(session.app().metadata.annotations?.[annotation.deployRevision], 'web-bbbbb');
  }),
);

spec('DEP-032 DEP-037 DEP-040 a repository without a build digest is recorded by its branch', () =>
  withSession(git, async (session) => {
    await session.deploy('web-aaaaa');
    const { image, changeTitle, source, imageDigest } = recordIn(session, 'web-aaaaa').spec;
    assert.equal(
      [image, changeTitle, source, imageDigest],
      ['acme/web@main', 'Deploy acme/web@main', 'GitHost', undefined],
    );
  }),
);

spec('DEP-031 DEP-045 a repository with a build digest is recorded by that digest', () =>
  withSession(git, async (session) => {
    await session.deploy('web-aaaaa');
    Effect.runSync(session.environment.cluster.patchStatus(apps, { name: 'web' }, { resolvedImage: built }));
    await session.deploy('web-bbbbb');
    const { image, changeTitle, imageDigest } = recordIn(session, 'web-bbbbb').spec;
    assert.equal([image, changeTitle, imageDigest], [built, 'Deploy acme/web@main', built]);
  }),
);

spec('DEP-033 DEP-038 DEP-039 a function is recorded by its runtime', () =>
  withSession(serverless, async (session) => {
    await session.deploy('web-aaaaa');
    const { image, changeTitle, source } = recordIn(session, 'web-aaaaa').spec;
    assert.equal([image, changeTitle, source], ['function:bun', 'Deploy function (bun)', 'Dashboard']);
  }),
);

spec('DEP-006 no workload starts or changes because a record is created, changed or deleted', () =>
  withSession({}, async (session) => {
    const { cluster } = session.environment;
    await session.edit((environment) => void putRecord(environment, 'web-zzzzz', { labels: ofWeb }));
    assert.is(workloadIn(session.environment), undefined);
    await session.deploy('web-aaaaa');
    const before = ['deployments', 'coreapps', 'services'].map(cluster.changesOf);
    await session.edit(() => {
      Effect.runSync(cluster.patch(deployments, { name: 'web-aaaaa' }, { spec: { image: 'other:1', replicas: 9 } }));
    });
    await session.edit(() => Effect.runSync(cluster.remove(deployments, { name: 'web-aaaaa' })));
    assert.equal(['deployments', 'coreapps', 'services'].map(cluster.changesOf), before);
    assert.equal(session.records(), ['web-zzzzz']);
  }),
);

spec('DEP-017 DEP-018 DEP-019 DEP-024 DEP-084 the newest 12 with the label of the service are kept', () =>
  withSession({}, async (session) => {
    putRecord(session.environment, 'web-other', { labels: { 'core.platform/app': 'web-two' } });
    putRecord(session.environment, 'web-plain', {});
    putRecord(session.environment, 'two-aaaaa', { labels: { 'core.platform/app': 'two' } });
    putService(session.environment);
    session.environment.cluster.put(apps, { ...session.app(), metadata: inSystem('two') });
    session.environment.cluster.put(apps, { ...session.app(), metadata: inSystem('web-two') });
    const names = Array.from({ length: 15 }, (_, index) => `web-${String.fromCodePoint(122 - index).repeat(5)}`);
    for (const name of names) await session.deploy(name);
    assert.equal(session.records(), [...names.slice(3), 'two-aaaaa', 'web-other', 'web-plain'].toSorted());
    assert.ok(activeIn(session.environment));
  }),
);

spec('DEP-017 the oldest records are deleted first, and failed deletions are retried', () =>
  withSession({}, async (session) => {
    const gone: string[] = [];
    session.environment.cluster.onChange((changed, type) => {
      if (type === 'deleted') gone.push(changed.metadata.name);
    });
    for (let index = 0; index < 16; index++)
      putRecord(session.environment, `web-old${String.fromCodePoint(97 + ((index * 7) % 16))}x`, {
        labels: ofWeb,
        annotations: { [annotation.deployedAt]: new Date(Date.UTC(2026, 0, 1) + index).toISOString() },
      });
    await session.crash((cluster) => ({ ...cluster, remove: () => Effect.fail(away) }));
    assert.is(session.records().length, 16);
    await session.crash();
    assert.equal(gone, ['web-oldax', 'web-oldhx', 'web-oldox', 'web-oldfx']);
  }),
);

spec(
  'DEP-020 DEP-021 DEP-082 DEP-085 the records of a service are deleted with the service, and those of others stay',
  () =>
    withSession({}, async (session) => {
      await session.deploy('web-aaaaa');
      await session.deploy('web-bbbbb');
      session.environment.cluster.put(apps, { ...session.app(), metadata: inSystem('two') });
      putRecord(session.environment, 'two-aaaaa', { labels: { 'core.platform/app': 'two' } });
      const left: (readonly string[])[] = [];
      session.environment.cluster.onChange(({ kind }, type) => {
        if (kind === 'CoreApp' && type === 'deleted') left.push(session.records());
      });
      await session.remove();
      assert.is(appIn(session.environment), undefined);
      assert.equal(left, [['two-aaaaa']]);
      assert.equal(session.records(), ['two-aaaaa']);
      assert.is(activeIn(session.environment), undefined);
    }),
);

spec('DEP-085 a record without a service is deleted, and an adopted service keeps its records', () =>
  withSession({}, async (session) => {
    await session.deploy('web-aaaaa');
    await session.edit(
      (environment) => void putRecord(environment, 'gone-aaaaa', { labels: { 'core.platform/app': 'gone' } }),
    );
    assert.equal(session.records(), ['web-aaaaa']);
    const anew = (annotations: Readonly<Record<string, string>>) => (environment: TestEnvironment) => {
      const { spec: same } = session.app();
      environment.cluster.drop(apps, 'web');
      Effect.runSync(environment.cluster.patch(apps, { name: 'web' }, { metadata: { finalizers: null } }));
      environment.cluster.put(apps, {
        ...typeMeta(coreApp),
        metadata: { ...inSystem('web'), annotations },
        spec: same,
      });
    };
    await session.edit(anew({ [annotation.adopt]: 'true' }));
    assert.equal(session.records(), ['web-aaaaa']);
    await session.edit(anew({}));
    assert.equal(session.records(), []);
  }),
);

spec('DEP-053 DEP-063 a record of an older release without a status gets no state and counts as a record', () =>
  withSession({}, async (session) => {
    putRecord(session.environment, 'web-older', { labels: ofWeb });
    await session.pass(60);
    const { status, metadata } = recordIn(session, 'web-older');
    assert.equal(status, { observedGeneration: 1 });
    await session.pass(60);
    assert.is(recordIn(session, 'web-older').metadata.resourceVersion, metadata.resourceVersion);
    for (let index = 0; index < 12; index++) await session.deploy(`web-new${String.fromCodePoint(97 + index)}x`);
    assert.is(session.records().length, 12);
    assert.not.ok(session.records().includes('web-older'));
  }),
);

spec('DEP-055 an emptied status is filled with the time of the deploy', () =>
  withSession({}, async (session) => {
    await session.deploy('web-aaaaa');
    const { startedAt } = recordIn(session, 'web-aaaaa').status ?? {};
    await session.pass(60);
    await session.edit((environment) => {
      const emptied = { phase: null, startedAt: null, completedAt: null };
      Effect.runSync(environment.cluster.patchStatus(deployments, { name: 'web-aaaaa' }, emptied));
    });
    const { status } = recordIn(session, 'web-aaaaa');
    assert.equal([status?.phase, status?.startedAt, status?.completedAt], ['Recorded', startedAt, startedAt]);
  }),
);

spec('a service and its records write nothing for an hour', () =>
  withSession({}, async (session) => {
    await session.deploy('web-aaaaa');
    const before = ['coredeployments', 'coreapps'].map(session.environment.cluster.changesOf);
    await session.pass(240);
    assert.is(session.environment.cluster.changesOf('coredeployments'), before[0]);
  }),
);

spec.run();

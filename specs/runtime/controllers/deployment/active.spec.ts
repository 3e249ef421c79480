import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { type AppSpec, coreApp } from '../../../../crds/coreApp.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import { whatRuns } from '../../../../runtime/controllers/deployment/observe.ts';
import { objectsOf, placedMachines } from '../../../../http/views/placed.ts';
import { tables } from '../../../../machines/tables.ts';
import { Journal } from '../../../../runtime/services/journal.ts';
import { historyOf } from '../../../../runtime/step/history.ts';
import { builds, deployments } from '../../../../runtime/services/cluster/kinds.ts';
import { activeIn, available, putService, recordsIn, workloadIn } from '../../../support/deployed.ts';
import { inSystem } from '../../../support/project.ts';
import { suite } from '../../../support/suite.ts';
import { type ServiceSession, serviceSession } from './session.ts';
import { nothingCached } from '../../../support/nothingCached.ts';

const spec = suite('the active record of a service');

async function withSession(given: Partial<AppSpec>, test: (session: ServiceSession) => Promise<void>) {
  const session = await serviceSession(given);
  try {
    await test(session);
  } finally {
    await session.end();
  }
}

const active = ({ environment }: ServiceSession) => {
  const found = activeIn(environment);
  if (!found) throw new Error('there is no record of what runs');
  return found;
};
const told = (session: ServiceSession) => {
  const { phase, healthCheck, availableReplicas } = active(session).status ?? {};
  return [phase, healthCheck, availableReplicas];
};
const movesOf = (session: ServiceSession) =>
  historyOf(active(session)).map(({ from, event, to }) => `${from} ${event} ${to}`);

spec(
  'DEP-013 DEP-014 DEP-016 DEP-023 DEP-024 DEP-034 DEP-035 DEP-041 DEP-045 DEP-046 DEP-078 the active record is created with the Deployment',
  () =>
    withSession({}, async (session) => {
      await session.pass(60);
      assert.is(activeIn(session.environment), undefined);
      await session.deploy('web-aaaaa');
      const { metadata, spec: said } = active(session);
      assert.equal(metadata.labels, {
        'core.platform/managed-by': 'core',
        'core.platform/kind': 'CoreDeployment',
        'core.platform/name': 'web',
        'core.platform/system-namespace': 'core-system',
        'core.platform/project': 'shop',
        'core.platform/environment': 'production',
      });
      const [owner] = metadata.ownerReferences ?? [];
      assert.equal([owner?.kind, owner?.name, owner?.uid], ['CoreApp', 'web', session.app().metadata.uid]);
      assert.equal(said, {
        app: 'web',
        project: 'shop',
        environment: 'production',
        image: 'nginx:1.27',
        replicas: 2,
        source: 'CoreApp controller',
        trigger: 'Reconciliation',
        imageDigest: 'nginx:1.27',
      });
      assert.equal(told(session), ['RollingOut', 'RollingOut', 0]);
    }),
);

spec(
  'DEP-015 DEP-052 DEP-056 DEP-057 DEP-061 DEP-079 DEP-080 the active record follows the status of the Deployment in place',
  () =>
    withSession({}, async (session) => {
      await session.deploy('web-aaaaa');
      const { uid } = active(session).metadata;
      await session.edit((environment) => available(environment, 1));
      assert.equal(told(session), ['RollingOut', 'RollingOut', 1]);
      await session.edit((environment) => available(environment, 2));
      assert.equal(told(session), ['Available', 'Available', 2]);
      await session.edit((environment) => available(environment, 1));
      assert.equal(told(session), ['RollingOut', 'RollingOut', 1]);
      await session.edit((environment) => available(environment, 3));
      assert.equal(movesOf(session), [
        '(none) rolloutRecorded RollingOut',
        'RollingOut stillRollingOut RollingOut',
        'RollingOut replicasReached Available',
        'Available replicasMissed RollingOut',
        'RollingOut replicasReached Available',
      ]);
      assert.is(active(session).metadata.uid, uid);
    }),
);

spec(
  'DEP-015 DEP-034 DEP-035 a deploy, a changed number of replicas and a moved service update the active record in place',
  () =>
    withSession({}, async (session) => {
      await session.deploy('web-aaaaa');
      const { uid } = active(session).metadata;
      await session.ask({ is: 'save', spec: { source: { image: 'nginx:1.28' } } });
      await session.pass(2);
      assert.is(active(session).spec.image, 'nginx:1.27');
      await session.deploy('web-bbbbb');
      assert.is(active(session).spec.image, 'nginx:1.28');
      await session.ask({ is: 'save', spec: { replicas: 5 } });
      await session.pass(2);
      assert.equal([active(session).spec.replicas, active(session).metadata.uid], [5, uid]);
    }),
);

spec('DEP-034 DEP-045 a deploy that is not applied is not recorded', () =>
  withSession({}, async (session) => {
    await session.deploy('web-aaaaa');
    await session.deploy('web-bbbbb', { source: { image: 'nginx:1.28' }, secretRefs: [{ name: 'absent' }] });
    const before = active(session).spec;
    assert.equal([before.image, before.imageDigest], ['nginx:1.27', 'nginx:1.27']);
    await session.deploy('web-ccccc', { secretRefs: null });
    const { image, imageDigest } = active(session).spec;
    assert.equal([image, imageDigest], ['nginx:1.28', 'nginx:1.28']);
  }),
);

spec('DEP-060 the active record is not written while nothing changes', () =>
  withSession({}, async (session) => {
    await session.deploy('web-aaaaa');
    await session.edit((environment) => available(environment, 2));
    const before = session.environment.cluster.changesOf('coredeployments');
    await session.edit((environment) => available(environment, 2));
    await session.pass(3_600);
    assert.is(session.environment.cluster.changesOf('coredeployments'), before);
  }),
);

spec('DEP-014 the active record is unchanged when its service has no Deployment', () =>
  withSession({}, async (session) => {
    await session.deploy('web-aaaaa');
    await session.edit((environment) => available(environment, 2));
    const { resourceVersion } = active(session).metadata;
    await session.edit((environment) => putService(environment, { deploy: { enabled: false } }));
    await session.pass(60);
    assert.is(workloadIn(session.environment), undefined);
    assert.is(active(session).metadata.resourceVersion, resourceVersion);
  }),
);

spec('DEP-024 DEP-041 the active record is restored when a user edits or deletes it', () =>
  withSession({}, async (session) => {
    await session.deploy('web-aaaaa');
    const right = active(session);
    await session.edit(({ cluster }) => {
      const labels = { 'core.platform/app': 'web', 'core.platform/name': null, theirs: 'x' };
      const patch = { metadata: { labels, ownerReferences: null }, spec: { image: 'other:1', commit: 'abc' } };
      Effect.runSync(cluster.patch(deployments, { name: 'web-active' }, patch));
    });
    assert.equal(active(session).spec, right.spec);
    assert.equal(active(session).metadata.labels, { ...right.metadata.labels, theirs: 'x' });
    assert.equal(active(session).metadata.ownerReferences, right.metadata.ownerReferences);
    await session.edit(({ cluster }) => Effect.runSync(cluster.remove(deployments, { name: 'web-active' })));
    assert.equal(active(session).spec, right.spec);
  }),
);

spec(
  'DEP-031 DEP-032 DEP-043 DEP-044 the record of a repository names the pinned commit and the build of the image',
  () => {
    const commit = 'a'.repeat(40);
    const source = { git: { repository: 'acme/web', branch: 'main', commit, waitForCI: false } };
    const repository = 'registry.local/apps/web';
    const digest = `sha256:${'b'.repeat(64)}`;
    return withSession({ source, build: { registry: { repository }, cache: false } }, async (session) => {
      await session.deploy('web-aaaaa');
      const [build] = session.environment.cluster.all(builds);
      const succeeded = { phase: 'Succeeded', image: `${repository}:main`, imageDigest: digest };
      await session.edit(({ cluster }) => {
        Effect.runSync(cluster.patchStatus(builds, { name: build?.metadata.name ?? '' }, succeeded));
      });
      const { image, commit: pinned, buildRef, imageDigest } = active(session).spec;
      const digested = `${repository}@${digest}`;
      assert.equal([image, pinned, buildRef, imageDigest], [digested, commit, build?.metadata.name, digested]);
      await session.edit(({ cluster }) => {
        Effect.runSync(cluster.remove(builds, { name: buildRef ?? '' }));
        Effect.runSync(cluster.patch(deployments, { name: 'web-active' }, { spec: { replicas: 7 } }));
      });
      assert.equal([active(session).spec.replicas, active(session).spec.buildRef], [2, buildRef], 'a deleted build');
      await session.deploy('web-bbbbb');
      const recorded = recordsIn(session.environment).map(({ spec: said }) => [said.image, said.commit, said.buildRef]);
      assert.equal(recorded, [
        ['acme/web@main', undefined, undefined],
        [digested, undefined, undefined],
      ]);
    });
  },
);

spec('a record and its tombstone are each an instance of one machine only', () =>
  withSession({}, async (session) => {
    await session.deploy('web-aaaaa');
    const instances = () =>
      placedMachines(session.operator(), tables)
        .filter(({ controller }) => controller.resource.kind === 'CoreDeployment')
        .map((placed) => [
          placed.lifecycle.name,
          ...objectsOf(session.operator(), placed, 'whole').map(({ metadata }) => metadata.name),
        ]);
    assert.equal(instances(), [
      ['deploymentRecord', 'web-aaaaa'],
      ['activeDeployment', 'web-active'],
    ]);
    await session.remove();
    assert.equal(instances(), [['deploymentRecord'], ['activeDeployment']]);
    const buried = await Effect.runPromise(
      Effect.flatMap(Journal, ({ since }) => since(0)).pipe(Effect.provideContext(session.environment.services)),
    );
    const told = buried.filter(({ kind }) => kind === 'CoreDeployment');
    assert.equal(
      told.map(({ name, history }) => [name, ...new Set(history.map(({ machine, event }) => `${machine} ${event}`))]),
      [
        ['web-aaaaa', 'deploymentRecord recorded'],
        ['web-active', 'activeDeployment rolloutRecorded'],
      ],
    );
  }),
);

spec('DEP-062 DEP-081 a service is asleep when it may sleep and its Deployment has no replicas', () => {
  const workload = (replicas: number) => ({
    kind: 'Deployment',
    metadata: { name: 'web', labels: { 'core.platform/kind': 'CoreApp' } },
    spec: { replicas },
    status: {},
  });
  const app = (enabled: boolean) => ({
    ...typeMeta(coreApp),
    metadata: inSystem('web'),
    spec: {
      project: 'shop',
      environment: 'production',
      source: { image: 'nginx' },
      scaleToZero: { enabled },
      deploy: { enabled: true },
    },
  });
  const asleep = (enabled: boolean, replicas: number) =>
    whatRuns(app(enabled), { ...nothingCached, get: () => workload(replicas) as never }).asleep;
  assert.equal([asleep(true, 0), asleep(true, 1), asleep(false, 0)], [true, false, false]);
});

spec.run();

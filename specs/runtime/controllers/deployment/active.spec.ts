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
import { type LiveService, liveService } from './live.ts';
import { nothingCached } from '../../../support/nothingCached.ts';

const spec = suite('the record of what runs');

async function living(given: Partial<AppSpec>, test: (live: LiveService) => Promise<void>) {
  const live = await liveService(given);
  try {
    await test(live);
  } finally {
    await live.end();
  }
}

const active = ({ world }: LiveService) => {
  const found = activeIn(world);
  if (!found) throw new Error('there is no record of what runs');
  return found;
};
const told = (live: LiveService) => {
  const { phase, healthCheck, availableReplicas } = active(live).status ?? {};
  return [phase, healthCheck, availableReplicas];
};
const movesOf = (live: LiveService) => historyOf(active(live)).map(({ from, event, to }) => `${from} ${event} ${to}`);

spec(
  'DEP-013 DEP-014 DEP-016 DEP-023 DEP-024 DEP-034 DEP-035 DEP-041 DEP-045 DEP-046 DEP-078 it is created with the Deployment',
  () =>
    living({}, async (live) => {
      await live.pass(60);
      assert.is(activeIn(live.world), undefined);
      await live.deploy('web-aaaaa');
      const { metadata, spec: said } = active(live);
      assert.equal(metadata.labels, {
        'core.platform/managed-by': 'core',
        'core.platform/kind': 'CoreDeployment',
        'core.platform/name': 'web',
        'core.platform/system-namespace': 'core-system',
        'core.platform/project': 'shop',
        'core.platform/environment': 'production',
      });
      const [owner] = metadata.ownerReferences ?? [];
      assert.equal([owner?.kind, owner?.name, owner?.uid], ['CoreApp', 'web', live.app().metadata.uid]);
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
      assert.equal(told(live), ['RollingOut', 'RollingOut', 0]);
    }),
);

spec('DEP-015 DEP-052 DEP-056 DEP-057 DEP-061 DEP-079 DEP-080 it follows the Deployment in place', () =>
  living({}, async (live) => {
    await live.deploy('web-aaaaa');
    const { uid } = active(live).metadata;
    await live.edit((world) => available(world, 1));
    assert.equal(told(live), ['RollingOut', 'RollingOut', 1]);
    await live.edit((world) => available(world, 2));
    assert.equal(told(live), ['Available', 'Available', 2]);
    await live.edit((world) => available(world, 1));
    assert.equal(told(live), ['RollingOut', 'RollingOut', 1]);
    await live.edit((world) => available(world, 3));
    assert.equal(movesOf(live), [
      '(none) rolloutRecorded RollingOut',
      'RollingOut stillRollingOut RollingOut',
      'RollingOut replicasReached Available',
      'Available replicasMissed RollingOut',
      'RollingOut replicasReached Available',
    ]);
    assert.is(active(live).metadata.uid, uid);
  }),
);

spec('DEP-015 DEP-034 DEP-035 a deploy and a scaling are told in place, and moves of the service as well', () =>
  living({}, async (live) => {
    await live.deploy('web-aaaaa');
    const { uid } = active(live).metadata;
    await live.ask({ is: 'save', spec: { source: { image: 'nginx:1.28' } } });
    await live.pass(2);
    assert.is(active(live).spec.image, 'nginx:1.27');
    await live.deploy('web-bbbbb');
    assert.is(active(live).spec.image, 'nginx:1.28');
    await live.ask({ is: 'save', spec: { replicas: 5 } });
    await live.pass(2);
    assert.equal([active(live).spec.replicas, active(live).metadata.uid], [5, uid]);
  }),
);

spec('DEP-034 DEP-045 a deploy that is not applied yet is not told', () =>
  living({}, async (live) => {
    await live.deploy('web-aaaaa');
    await live.deploy('web-bbbbb', { source: { image: 'nginx:1.28' }, secretRefs: [{ name: 'absent' }] });
    const before = active(live).spec;
    assert.equal([before.image, before.imageDigest], ['nginx:1.27', 'nginx:1.27']);
    await live.deploy('web-ccccc', { secretRefs: null });
    const { image, imageDigest } = active(live).spec;
    assert.equal([image, imageDigest], ['nginx:1.28', 'nginx:1.28']);
  }),
);

spec('DEP-060 while nothing changes nothing is written', () =>
  living({}, async (live) => {
    await live.deploy('web-aaaaa');
    await live.edit((world) => available(world, 2));
    const before = live.world.cluster.changesOf('coredeployments');
    await live.edit((world) => available(world, 2));
    await live.pass(3_600);
    assert.is(live.world.cluster.changesOf('coredeployments'), before);
  }),
);

spec('DEP-014 a draft, and a service without a Deployment, changes nothing of it', () =>
  living({}, async (live) => {
    await live.deploy('web-aaaaa');
    await live.edit((world) => available(world, 2));
    const { resourceVersion } = active(live).metadata;
    await live.edit((world) => putService(world, { deploy: { enabled: false } }));
    await live.pass(60);
    assert.is(workloadIn(live.world), undefined);
    assert.is(active(live).metadata.resourceVersion, resourceVersion);
  }),
);

spec('DEP-024 DEP-041 what a hand changes of it is put back, and it is made again', () =>
  living({}, async (live) => {
    await live.deploy('web-aaaaa');
    const right = active(live);
    await live.edit(({ cluster }) => {
      const labels = { 'core.platform/app': 'web', 'core.platform/name': null, theirs: 'x' };
      const patch = { metadata: { labels, ownerReferences: null }, spec: { image: 'other:1', commit: 'abc' } };
      Effect.runSync(cluster.patch(deployments, { name: 'web-active' }, patch));
    });
    assert.equal(active(live).spec, right.spec);
    assert.equal(active(live).metadata.labels, { ...right.metadata.labels, theirs: 'x' });
    assert.equal(active(live).metadata.ownerReferences, right.metadata.ownerReferences);
    await live.edit(({ cluster }) => Effect.runSync(cluster.remove(deployments, { name: 'web-active' })));
    assert.equal(active(live).spec, right.spec);
  }),
);

spec(
  'DEP-031 DEP-032 DEP-043 DEP-044 of a repository it tells the pinned commit and the build that produced the image',
  () => {
    const commit = 'a'.repeat(40);
    const source = { git: { repository: 'acme/web', branch: 'main', commit, waitForCI: false } };
    const repository = 'registry.local/apps/web';
    const digest = `sha256:${'b'.repeat(64)}`;
    return living({ source, build: { registry: { repository }, cache: false } }, async (live) => {
      await live.deploy('web-aaaaa');
      const [build] = live.world.cluster.all(builds);
      const succeeded = { phase: 'Succeeded', image: `${repository}:main`, imageDigest: digest };
      await live.edit(({ cluster }) => {
        Effect.runSync(cluster.patchStatus(builds, { name: build?.metadata.name ?? '' }, succeeded));
      });
      const { image, commit: pinned, buildRef, imageDigest } = active(live).spec;
      const digested = `${repository}@${digest}`;
      assert.equal([image, pinned, buildRef, imageDigest], [digested, commit, build?.metadata.name, digested]);
      await live.deploy('web-bbbbb');
      const recorded = recordsIn(live.world).map(({ spec: said }) => [said.image, said.commit, said.buildRef]);
      assert.equal(recorded, [
        ['acme/web@main', undefined, undefined],
        [digested, undefined, undefined],
      ]);
    });
  },
);

spec('a record is an instance of one machine alone, and so is its tombstone', () =>
  living({}, async (live) => {
    await live.deploy('web-aaaaa');
    const instances = () =>
      placedMachines(live.operator(), tables)
        .filter(({ controller }) => controller.resource.kind === 'CoreDeployment')
        .map((placed) => [
          placed.lifecycle.name,
          ...objectsOf(live.operator(), placed, 'whole').map(({ metadata }) => metadata.name),
        ]);
    assert.equal(instances(), [
      ['deploymentRecord', 'web-aaaaa'],
      ['activeDeployment', 'web-active'],
    ]);
    await live.remove();
    assert.equal(instances(), [['deploymentRecord'], ['activeDeployment']]);
    const buried = await Effect.runPromise(
      Effect.flatMap(Journal, ({ since }) => since(0)).pipe(Effect.provideContext(live.world.services)),
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

spec('DEP-062 DEP-081 a service is asleep where it may sleep and its Deployment asks for no copy', () => {
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

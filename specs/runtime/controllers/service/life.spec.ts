import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { annotation } from '../../../../crds/names.ts';
import { apps } from '../../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { namespaces } from '../../../../runtime/services/cluster/resources.ts';
import { putNode, putReadyProject } from '../../../support/database.ts';
import { pieceIn, putProject } from '../../../support/project.ts';
import {
  appIn,
  deploymentIn,
  draft,
  image,
  kubelet,
  objectsIn,
  putService,
  serviceName,
  standing,
  templateIn,
} from '../../../support/service.ts';
import { suite } from '../../../support/suite.ts';
import { deploy, living, type LiveService, running } from './live.ts';

const spec = suite('the life of a service');

const all = ['Service hello', 'Ingress hello', 'Deployment hello'];
const waits = 'Service is configured and waiting for deployment';
const failed =
  'Provisioning failed after repeated errors. Update settings or platform configuration, then save or redeploy to try again.';
const asDraft = { spec: { deploy: { enabled: false }, networking: { host: 'hello.example' } }, annotations: draft };

/** A deployed service that is Ready. */
async function readied(live: LiveService) {
  assert.is(await deploy(live), null);
  await running(live);
  assert.is(live.message(), 'Service is running');
}

spec('SVC-011 SVC-020 KND-025 a draft runs nothing and says that it waits for a deploy', () =>
  living(asDraft, async (live) => {
    await live.pass(60);
    assert.is(live.phase(), 'Draft');
    assert.is(live.ready(), 'False ReconcileError');
    assert.is(live.message(), waits);
    assert.equal(standing(live.world), []);
    assert.equal(live.moves('service'), ['(none) createdAsDraft Draft']);
  }),
);

spec(
  'SVC-001 SVC-005 SVC-007 SVC-044 KND-043 KND-044 KND-050 deployed, it comes up in the namespace of its environment, and is Ready',
  () =>
    living(asDraft, async (live) => {
      assert.is(await deploy(live), null);
      assert.is(live.phase(), 'Provisioning');
      assert.is(live.message(), 'Starting service');
      assert.equal(standing(live.world), all);
      assert.ok(objectsIn(live.world).every(({ metadata }) => metadata.namespace === 'shop-production'));
      const { annotations = {} } = live.app().metadata;
      assert.not.ok(annotation.pendingChanges in annotations);
      assert.equal(JSON.parse(annotations[annotation.lastDeployed] ?? ''), live.app().spec);
      await live.edit((world) => kubelet(world, 'starts'));
      assert.is(live.message(), 'Service is starting');
      await running(live);
      assert.is(live.ready(), 'True ServiceReady');
      assert.is(live.message(), 'Service is running');
      const { status } = live.app();
      assert.equal(
        [status?.phase, status?.targetNamespace, status?.resolvedImage, status?.deployRevision, status?.url],
        ['Ready', 'shop-production', image, 'r1', 'https://hello.example'],
      );
      assert.equal(
        live.attempts().map(({ id, phase }) => `${id} ${phase}`),
        ['attempt-1 Succeeded'],
      );
      const version = live.app().metadata.resourceVersion;
      await live.pass(600);
      assert.is(live.app().metadata.resourceVersion, version, 'at rest nothing is written');
    }),
);

spec('KND-051 PRJ-136 without room a deploy is refused in words, and nothing is saved', () =>
  living(
    { ...asDraft, spec: { ...asDraft.spec, resources: { requests: { cpu: '1', memory: '64Mi' } } } },
    async (live) => {
      await live.edit((world) => putNode(world, '50m'));
      const version = live.app().metadata.resourceVersion;
      const refused = await live.ask('draftDeploy', { is: 'deploy', revision: 'r1' } as { is: string });
      assert.match(
        refused?.says ?? '',
        /^cannot be scheduled: this service needs about 1 CPU and 64Mi memory\. The cluster currently has 50m CPU/,
      );
      assert.is(live.app().metadata.resourceVersion, version);
      assert.is(live.phase(), 'Draft');
    },
  ),
);

spec('KND-038 KND-058 SVC-011a made by hand it runs as written, and later edits apply at once', () =>
  living({ spec: { config: { LEVEL: 'debug' } } }, async (live) => {
    await running(live);
    assert.is(live.ready(), 'True ServiceReady');
    await live.edit((world) => putService(world, { config: { LEVEL: 'info' } }));
    const config = pieceIn(live.world, owned.configMaps, 'hello-config') as { readonly data?: object } | undefined;
    assert.equal(config?.data, { LEVEL: 'info' });
    await live.edit((world) => putService(world, { source: { image: 'nginx:1.28' } }));
    assert.is(templateIn(live.world).spec.containers[0]?.image, 'nginx:1.28');
  }),
);

spec('KND-025 by hand with spec.deploy.enabled false it is a draft too', () =>
  living({ spec: { deploy: { enabled: false } } }, async (live) => {
    assert.is(live.phase(), 'Draft');
    assert.is(live.message(), waits);
    assert.equal(standing(live.world), []);
    assert.is(await deploy(live), null);
    assert.is(live.app().metadata.annotations?.[annotation.deployWorkflow], 'true', 'deployed, it has the gate');
    assert.ok(deploymentIn(live.world));
  }),
);

spec('SVC-003 KND-030 KND-055 deployed again, its pods restart, in an attempt of its own', () =>
  living(asDraft, async (live) => {
    await readied(live);
    const before = templateIn(live.world).metadata.annotations;
    assert.is(await deploy(live, 'r2'), null);
    assert.not.equal(templateIn(live.world).metadata.annotations, before);
    assert.is(live.phase(), 'Provisioning');
    await running(live);
    assert.is(live.ready(), 'True ServiceReady');
    assert.equal(
      live.attempts().map(({ id, phase }) => `${id} ${phase}`),
      ['attempt-2 Succeeded', 'attempt-1 Succeeded'],
    );
    assert.is(live.app().status?.provision?.deploymentRef, 'r2');
  }),
);

spec('KND-033 KND-052 KND-054 a change waits, and what was deployed runs until it is deployed', () =>
  living(asDraft, async (live) => {
    await readied(live);
    await live.edit((world) => putService(world, { source: { image: 'nginx:1.28' }, config: { A: '1' } }));
    assert.is(live.app().metadata.annotations?.[annotation.pendingChanges], 'settings,variables');
    assert.is(templateIn(live.world).spec.containers[0]?.image, image);
    assert.equal(standing(live.world), all, 'no variable stands before its deploy');
    assert.is(live.ready(), 'True ServiceReady');
    await live.pass(120);
    assert.is(templateIn(live.world).spec.containers[0]?.image, image);
    assert.is(await deploy(live, 'r2'), null);
    assert.is(templateIn(live.world).spec.containers[0]?.image, 'nginx:1.28');
    assert.ok(pieceIn(live.world, owned.configMaps, 'hello-config'));
    assert.not.ok(annotation.pendingChanges in (live.app().metadata.annotations ?? {}));
  }),
);

spec('KND-034 KND-035 KND-036 KND-053 copies, autoscaling, host and TLS apply at once, whatever waits', () =>
  living(asDraft, async (live) => {
    await readied(live);
    const template = templateIn(live.world);
    await live.edit((world) => putService(world, { source: { image: 'nginx:1.28' } }));
    await live.edit((world) => putService(world, { replicas: 3, networking: { host: 'other.example', tls: false } }));
    assert.is(deploymentIn(live.world)?.spec.replicas, 3);
    const ingress = JSON.stringify(pieceIn(live.world, owned.ingresses, serviceName));
    assert.match(ingress, /"other\.example"/);
    assert.not.match(ingress, /cert-manager|secretName/);
    assert.is(live.app().status?.url, 'http://other.example');
    await live.edit((world) => putService(world, { autoscaling: { enabled: true, min: 2, max: 4 } }));
    assert.match(JSON.stringify(pieceIn(live.world, owned.autoscalers, serviceName)), /"minReplicas":2/);
    assert.equal(templateIn(live.world), template, 'no pod is replaced');
  }),
);

spec('SVC-002 KND-057 withdrawn, everything that runs of it is deleted; deployed, it is there again', () =>
  living(asDraft, async (live) => {
    await readied(live);
    await live.edit((world) => putService(world, { deploy: { enabled: false } }));
    await live.pass(1);
    assert.is(live.phase(), 'Draft');
    assert.equal(standing(live.world), []);
    assert.is(live.message(), waits);
    await live.edit((world) => kubelet(world, 'runs'));
    assert.is(await deploy(live, 'r2'), null);
    await running(live);
    assert.is(live.ready(), 'True ServiceReady');
  }),
);

spec('SVC-010 SVC-010a SVC-012 SVC-047 deleted, it says so, and goes when nothing is left of it', () =>
  living(asDraft, async (live) => {
    await readied(live);
    assert.ok(live.app().metadata.finalizers?.includes('core.platform/app'));
    await live.remove();
    await live.pass(31);
    assert.is(live.messages.at(-1), 'Service is being deleted');
    assert.is(appIn(live.world), undefined);
    assert.equal(standing(live.world), []);
  }),
);

spec('SVC-010 a draft and what was given up go too', async () => {
  await living(asDraft, async (live) => {
    await live.remove();
    await live.pass(31);
    assert.is(appIn(live.world), undefined);
  });
  await living({ spec: { project: 'nowhere' } }, async (live) => {
    await live.pass(200);
    assert.is(live.phase(), 'ProvisionFailed');
    await live.remove();
    await live.pass(31);
    assert.is(appIn(live.world), undefined);
  });
});

spec('SVC-008 SVC-011a a service that failed from the start lists all five counted errors once it is given up', () =>
  living({ spec: { project: 'nowhere' } }, async (live) => {
    assert.equal(live.moves('service')[0], '(none) createdOpen Provisioning');
    await live.pass(200);
    assert.is(live.phase(), 'ProvisionFailed');
    assert.equal(
      live.attempts().map(({ phase, errors = [] }) => [phase, errors.length]),
      [['Failed', 5]],
    );
  }),
);

spec(
  'SVC-006 SVC-008 SVC-009 SVC-021 SVC-022 KND-039 KND-045 KND-061 five failures end its attempt, and Retry begins another',
  () =>
    living(asDraft, async (live) => {
      assert.is(await deploy(live), null);
      await live.edit((world) => kubelet(world, 'fails'));
      assert.is(live.message(), 'Service failed to start');
      assert.is(live.app().status?.reconcileRetry?.reconcileFailures, 1, 'counted once within half a minute');
      await live.pass(150);
      assert.is(live.ready(), 'False ProvisionFailed');
      assert.is(live.message(), failed);
      assert.is(live.phase(), 'ProvisionFailed');
      const [attempt] = live.attempts();
      assert.is(attempt?.phase, 'Failed');
      assert.is(attempt?.errors?.length, 5);
      const version = live.app().metadata.resourceVersion;
      await live.pass(600);
      assert.is(live.app().metadata.resourceVersion, version, 'it is left alone');
      assert.is(await live.ask('provisionRetry', 'retry'), null);
      await live.pass(1);
      assert.ok(live.messages.includes('Retrying provisioning'));
      await running(live);
      assert.is(live.ready(), 'True ServiceReady');
      assert.equal(
        live.attempts().map(({ id, phase }) => `${id} ${phase}`),
        ['attempt-2 Succeeded', 'attempt-1 Failed'],
      );
      const refused = await live.ask('provisionRetry', 'retry');
      assert.ok(refused instanceof Error, 'what was not given up is not retried');
    }),
);

spec('SVC-008a KND-046 KND-062 a failure that lasts three minutes ends it, however seldom it was met', () =>
  living(asDraft, async (live) => {
    assert.is(await deploy(live), null);
    await live.edit((world) => kubelet(world, 'fails'));
    const paused = (value: string | null) => {
      const metadata = { annotations: { [annotation.paused]: value } };
      Effect.runSync(live.world.cluster.patch(apps, { name: serviceName }, { metadata }));
    };
    await live.edit(() => paused('true'));
    await live.pass(181);
    await live.edit(() => paused(null));
    await live.pass(1);
    assert.equal([live.phase(), live.message()], ['ProvisionFailed', failed]);
    assert.is(live.moves('service').at(-1), 'Provisioning failureTimeExhausted ProvisionFailed');
  }),
);

spec('SVC-009a SVC-009b KND-066 a changed spec, a deploy and another image begin anew', () =>
  living({}, async (live) => {
    const fails = async () => {
      await live.edit((world) => kubelet(world, 'fails'));
      await live.pass(200);
      assert.is(live.phase(), 'ProvisionFailed');
    };
    await fails();
    await live.edit((world) => putService(world, { port: 9090 }));
    assert.is(
      live.moves('service').find((move) => move.includes('specChanged')),
      'ProvisionFailed specChanged Provisioning',
    );
    await fails();
    assert.is(await deploy(live, 'r2'), null);
    assert.ok(live.moves('service').includes('ProvisionFailed redeployAsked Provisioning'));
    await fails();
    await live.edit((world) => putService(world, { source: { image: 'nginx:1.28' } }));
    await running(live);
    assert.is(live.ready(), 'True ServiceReady');
  }),
);

spec('SVC-041a KND-067 pods that fail without an attempt are reported, and never end it', () =>
  living(asDraft, async (live) => {
    await readied(live);
    await live.edit((world) => kubelet(world, 'fails'));
    assert.is(live.ready(), 'False ReconcileError');
    assert.is(live.message(), 'Service failed to start');
    await live.pass(3_600);
    assert.is(live.phase(), 'Provisioning');
    assert.is(live.app().status?.reconcileRetry?.reconcileFailures ?? 0, 0);
    await running(live);
    assert.is(live.ready(), 'True ServiceReady');
  }),
);

spec('SVC-042 KND-064 what only starts is waited for, and counts nothing', () =>
  living(asDraft, async (live) => {
    assert.is(await deploy(live), null);
    await live.pass(3_600);
    assert.equal([live.phase(), live.message()], ['Provisioning', 'Starting service']);
    assert.is(live.app().status?.reconcileRetry?.reconcileFailures ?? 0, 0);
  }),
);

spec('SVC-004a what it needs may go and come back: it is waited for', () =>
  living(asDraft, async (live) => {
    await readied(live);
    await live.edit((world) => putReadyProject(world, 'False'));
    assert.equal([live.phase(), live.message()], ['Provisioning', 'project "shop" is not ready']);
    await live.pass(600);
    await live.edit((world) => putReadyProject(world, 'True'));
    assert.is(live.ready(), 'True ServiceReady');
    assert.equal(live.attempts().length, 1, 'no attempt begins for it');
  }),
);

spec('the newest 8 attempts are kept, each with at most 12 errors', () =>
  living(asDraft, async (live) => {
    assert.is(await deploy(live), null);
    await live.edit((world) => kubelet(world, 'fails'));
    for (let index = 2; index <= 10; index++) {
      assert.is(await deploy(live, `r${index}`), null);
      await live.edit((world) => kubelet(world, 'fails'));
      await live.pass(40);
    }
    assert.equal(
      live.attempts().map(({ id }) => id),
      [10, 9, 8, 7, 6, 5, 4, 3].map((index) => `attempt-${index}`),
    );
    assert.ok(live.attempts().every(({ errors = [] }) => errors.length > 0 && errors.length <= 12));
  }),
);

spec('KND-044 another environment moves it: what ran in the one before goes, and nothing else there', () =>
  living(
    {
      ...asDraft,
      prepare: (world) => {
        putProject(world, { environments: ['production', 'staging'] });
        world.cluster.put(namespaces, { metadata: { name: 'shop-staging' } });
      },
    },
    async (live) => {
      await readied(live);
      const metadata = { name: 'somebody', namespace: 'shop-production' };
      await live.edit(({ cluster }) => void cluster.put(owned.services, { metadata, spec: { ports: [] } } as never));
      await live.edit((world) => putService(world, { environment: 'staging' }));
      assert.ok(deploymentIn(live.world, 'shop-production'), 'the change waits for a deploy');
      assert.is(await deploy(live, 'r2'), null);
      await live.pass(2);
      assert.ok(objectsIn(live.world).every((object) => object.metadata.namespace === 'shop-staging'));
      assert.equal(standing(live.world), all);
      assert.ok(pieceIn(live.world, owned.services, 'somebody'));
      assert.is(live.app().status?.targetNamespace, 'shop-staging');
    },
  ),
);

spec.run();

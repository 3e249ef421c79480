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
import { deploy, withSession, type ServiceSession, running } from './session.ts';

const spec = suite('the life of a service');

const all = ['Service hello', 'Ingress hello', 'Deployment hello'];
const waits = 'Service is configured and waiting for deployment';
const failed =
  'Provisioning failed after repeated errors. Update settings or platform configuration, then save or redeploy to try again.';
const asDraft = { spec: { deploy: { enabled: false }, networking: { host: 'hello.example' } }, annotations: draft };

/** A deployed service that is Ready. */
async function readied(session: ServiceSession) {
  assert.is(await deploy(session), null);
  await running(session);
  assert.is(session.message(), 'Service is running');
}

spec('SVC-011 SVC-020 KND-025 a draft of a service runs nothing and reports that it waits for a deploy', () =>
  withSession(asDraft, async (session) => {
    await session.pass(60);
    assert.is(session.phase(), 'Draft');
    assert.is(session.ready(), 'False ReconcileError');
    assert.is(session.message(), waits);
    assert.equal(standing(session.environment), []);
    assert.equal(session.moves('service'), ['(none) createdAsDraft Draft']);
  }),
);

spec(
  'SVC-001 SVC-005 SVC-007 SVC-044 KND-043 KND-044 KND-050 a deployed service becomes Ready in the namespace of its environment',
  () =>
    withSession(asDraft, async (session) => {
      assert.is(await deploy(session), null);
      assert.is(session.phase(), 'Provisioning');
      assert.is(session.message(), 'Starting service');
      assert.equal(standing(session.environment), all);
      assert.ok(objectsIn(session.environment).every(({ metadata }) => metadata.namespace === 'shop-production'));
      const { annotations = {} } = session.app().metadata;
      assert.not.ok(annotation.pendingChanges in annotations);
      assert.equal(JSON.parse(annotations[annotation.lastDeployed] ?? ''), session.app().spec);
      await session.edit((environment) => kubelet(environment, 'starts'));
      assert.is(session.message(), 'Service is starting');
      await running(session);
      assert.is(session.ready(), 'True ServiceReady');
      assert.is(session.message(), 'Service is running');
      const { status } = session.app();
      assert.equal(
        [status?.phase, status?.targetNamespace, status?.resolvedImage, status?.deployRevision, status?.url],
        ['Ready', 'shop-production', image, 'r1', 'https://hello.example'],
      );
      assert.equal(
        session.attempts().map(({ id, phase }) => `${id} ${phase}`),
        ['attempt-1 Succeeded'],
      );
      const version = session.app().metadata.resourceVersion;
      await session.pass(600);
      assert.is(session.app().metadata.resourceVersion, version, 'at rest nothing is written');
    }),
);

spec('KND-051 PRJ-136 a deploy of a service is refused and saves nothing when no node has room', () =>
  withSession(
    { ...asDraft, spec: { ...asDraft.spec, resources: { requests: { cpu: '1', memory: '64Mi' } } } },
    async (session) => {
      await session.edit((environment) => putNode(environment, '50m'));
      const version = session.app().metadata.resourceVersion;
      const refused = await session.ask('draftDeploy', { is: 'deploy', revision: 'r1' } as { is: string });
      assert.match(
        refused?.says ?? '',
        /^cannot be scheduled: this service needs about 1 CPU and 64Mi memory\. The cluster currently has 50m CPU/,
      );
      assert.is(session.app().metadata.resourceVersion, version);
      assert.is(session.phase(), 'Draft');
    },
  ),
);

spec('KND-038 KND-058 SVC-011a a service applied by kubectl runs as written, and later edits apply at once', () =>
  withSession({ spec: { config: { LEVEL: 'debug' } } }, async (session) => {
    await running(session);
    assert.is(session.ready(), 'True ServiceReady');
    await session.edit((environment) => putService(environment, { config: { LEVEL: 'info' } }));
    const config = pieceIn(session.environment, owned.configMaps, 'hello-config') as
      { readonly data?: object } | undefined;
    assert.equal(config?.data, { LEVEL: 'info' });
    await session.edit((environment) => putService(environment, { source: { image: 'nginx:1.28' } }));
    assert.is(templateIn(session.environment).spec.containers[0]?.image, 'nginx:1.28');
  }),
);

spec('KND-025 a service applied by kubectl with spec.deploy.enabled false is a draft', () =>
  withSession({ spec: { deploy: { enabled: false } } }, async (session) => {
    assert.is(session.phase(), 'Draft');
    assert.is(session.message(), waits);
    assert.equal(standing(session.environment), []);
    assert.is(await deploy(session), null);
    assert.is(session.app().metadata.annotations?.[annotation.deployWorkflow], 'true', 'deployed, it has the gate');
    assert.ok(deploymentIn(session.environment));
  }),
);

spec('SVC-003 KND-030 KND-055 a second deploy restarts the pods of a service in another attempt', () =>
  withSession(asDraft, async (session) => {
    await readied(session);
    const before = templateIn(session.environment).metadata.annotations;
    assert.is(await deploy(session, 'r2'), null);
    assert.not.equal(templateIn(session.environment).metadata.annotations, before);
    assert.is(session.phase(), 'Provisioning');
    await running(session);
    assert.is(session.ready(), 'True ServiceReady');
    assert.equal(
      session.attempts().map(({ id, phase }) => `${id} ${phase}`),
      ['attempt-2 Succeeded', 'attempt-1 Succeeded'],
    );
    assert.is(session.app().status?.provision?.deploymentRef, 'r2');
  }),
);

spec('KND-033 KND-052 KND-054 a changed service runs as deployed until the next deploy', () =>
  withSession(asDraft, async (session) => {
    await readied(session);
    await session.edit((environment) =>
      putService(environment, { source: { image: 'nginx:1.28' }, config: { A: '1' } }),
    );
    assert.is(session.app().metadata.annotations?.[annotation.pendingChanges], 'settings,variables');
    assert.is(templateIn(session.environment).spec.containers[0]?.image, image);
    assert.equal(standing(session.environment), all, 'no variable stands before its deploy');
    assert.is(session.ready(), 'True ServiceReady');
    await session.pass(120);
    assert.is(templateIn(session.environment).spec.containers[0]?.image, image);
    assert.is(await deploy(session, 'r2'), null);
    assert.is(templateIn(session.environment).spec.containers[0]?.image, 'nginx:1.28');
    assert.ok(pieceIn(session.environment, owned.configMaps, 'hello-config'));
    assert.not.ok(annotation.pendingChanges in (session.app().metadata.annotations ?? {}));
  }),
);

spec('KND-034 KND-035 KND-036 KND-053 replicas, autoscaling, host and TLS apply at once while other changes wait', () =>
  withSession(asDraft, async (session) => {
    await readied(session);
    const template = templateIn(session.environment);
    await session.edit((environment) => putService(environment, { source: { image: 'nginx:1.28' } }));
    await session.edit((environment) =>
      putService(environment, { replicas: 3, networking: { host: 'other.example', tls: false } }),
    );
    assert.is(deploymentIn(session.environment)?.spec.replicas, 3);
    const ingress = JSON.stringify(pieceIn(session.environment, owned.ingresses, serviceName));
    assert.match(ingress, /"other\.example"/);
    assert.not.match(ingress, /cert-manager|secretName/);
    assert.is(session.app().status?.url, 'http://other.example');
    await session.edit((environment) => putService(environment, { autoscaling: { enabled: true, min: 2, max: 4 } }));
    assert.match(JSON.stringify(pieceIn(session.environment, owned.autoscalers, serviceName)), /"minReplicas":2/);
    assert.equal(templateIn(session.environment), template, 'no pod is replaced');
  }),
);

spec('SVC-002 KND-057 a withdrawn service has no running resources, and a deploy creates them', () =>
  withSession(asDraft, async (session) => {
    await readied(session);
    await session.edit((environment) => putService(environment, { deploy: { enabled: false } }));
    await session.pass(1);
    assert.is(session.phase(), 'Draft');
    assert.equal(standing(session.environment), []);
    assert.is(session.message(), waits);
    await session.edit((environment) => kubelet(environment, 'runs'));
    assert.is(await deploy(session, 'r2'), null);
    await running(session);
    assert.is(session.ready(), 'True ServiceReady');
  }),
);

spec(
  'SVC-010 SVC-010a SVC-012 SVC-047 a deleted service reports its deletion and is gone when its resources are deleted',
  () =>
    withSession(asDraft, async (session) => {
      await readied(session);
      assert.ok(session.app().metadata.finalizers?.includes('core.platform/app'));
      await session.remove();
      await session.pass(31);
      assert.is(session.messages.at(-1), 'Service is being deleted');
      assert.is(appIn(session.environment), undefined);
      assert.equal(standing(session.environment), []);
    }),
);

spec('SVC-010 a draft and a service that is ProvisionFailed can be deleted', async () => {
  await withSession(asDraft, async (session) => {
    await session.remove();
    await session.pass(31);
    assert.is(appIn(session.environment), undefined);
  });
  await withSession({ spec: { project: 'nowhere' } }, async (session) => {
    await session.pass(200);
    assert.is(session.phase(), 'ProvisionFailed');
    await session.remove();
    await session.pass(31);
    assert.is(appIn(session.environment), undefined);
  });
});

spec('SVC-008 SVC-011a a service that failed from the start lists all five counted errors', () =>
  withSession({ spec: { project: 'nowhere' } }, async (session) => {
    assert.equal(session.moves('service')[0], '(none) createdOpen Provisioning');
    await session.pass(200);
    assert.is(session.phase(), 'ProvisionFailed');
    assert.equal(
      session.attempts().map(({ phase, errors = [] }) => [phase, errors.length]),
      [['Failed', 5]],
    );
  }),
);

spec(
  'SVC-006 SVC-008 SVC-009 SVC-021 SVC-022 KND-039 KND-045 KND-061 five failures end an attempt, and Retry starts another',
  () =>
    withSession(asDraft, async (session) => {
      assert.is(await deploy(session), null);
      await session.edit((environment) => kubelet(environment, 'fails'));
      assert.is(session.message(), 'Service failed to start');
      assert.is(session.app().status?.reconcileRetry?.reconcileFailures, 1, 'counted once within half a minute');
      await session.pass(150);
      assert.is(session.ready(), 'False ProvisionFailed');
      assert.is(session.message(), failed);
      assert.is(session.phase(), 'ProvisionFailed');
      const [attempt] = session.attempts();
      assert.is(attempt?.phase, 'Failed');
      assert.is(attempt?.errors?.length, 5);
      const version = session.app().metadata.resourceVersion;
      await session.pass(600);
      assert.is(session.app().metadata.resourceVersion, version, 'it is left alone');
      assert.is(await session.ask('provisionRetry', 'retry'), null);
      await session.pass(1);
      assert.ok(session.messages.includes('Retrying provisioning'));
      await running(session);
      assert.is(session.ready(), 'True ServiceReady');
      assert.equal(
        session.attempts().map(({ id, phase }) => `${id} ${phase}`),
        ['attempt-2 Succeeded', 'attempt-1 Failed'],
      );
      const refused = await session.ask('provisionRetry', 'retry');
      assert.ok(refused instanceof Error, 'what was not given up is not retried');
    }),
);

spec('SVC-008a KND-046 KND-062 a service fails when a failure lasts three minutes, at any number of occurrences', () =>
  withSession(asDraft, async (session) => {
    assert.is(await deploy(session), null);
    await session.edit((environment) => kubelet(environment, 'fails'));
    const paused = (value: string | null) => {
      const metadata = { annotations: { [annotation.paused]: value } };
      Effect.runSync(session.environment.cluster.patch(apps, { name: serviceName }, { metadata }));
    };
    await session.edit(() => paused('true'));
    await session.pass(181);
    await session.edit(() => paused(null));
    await session.pass(1);
    assert.equal([session.phase(), session.message()], ['ProvisionFailed', failed]);
    assert.is(session.moves('service').at(-1), 'Provisioning failureTimeExhausted ProvisionFailed');
  }),
);

spec('SVC-009a SVC-009b KND-066 a changed spec, a deploy and another image start a new attempt', () =>
  withSession({}, async (session) => {
    const fails = async () => {
      await session.edit((environment) => kubelet(environment, 'fails'));
      await session.pass(200);
      assert.is(session.phase(), 'ProvisionFailed');
    };
    await fails();
    await session.edit((environment) => putService(environment, { port: 9090 }));
    assert.is(
      session.moves('service').find((move) => move.includes('specChanged')),
      'ProvisionFailed specChanged Provisioning',
    );
    await fails();
    assert.is(await deploy(session, 'r2'), null);
    assert.ok(session.moves('service').includes('ProvisionFailed redeployAsked Provisioning'));
    await fails();
    await session.edit((environment) => putService(environment, { source: { image: 'nginx:1.28' } }));
    await running(session);
    assert.is(session.ready(), 'True ServiceReady');
  }),
);

spec('SVC-041a KND-067 failing pods without an attempt are reported and never fail the service', () =>
  withSession(asDraft, async (session) => {
    await readied(session);
    await session.edit((environment) => kubelet(environment, 'fails'));
    assert.is(session.ready(), 'False ReconcileError');
    assert.is(session.message(), 'Service failed to start');
    await session.pass(3_600);
    assert.is(session.phase(), 'Provisioning');
    assert.is(session.app().status?.reconcileRetry?.reconcileFailures ?? 0, 0);
    await running(session);
    assert.is(session.ready(), 'True ServiceReady');
  }),
);

spec('SVC-042 KND-064 a starting service is waited for without counting failures', () =>
  withSession(asDraft, async (session) => {
    assert.is(await deploy(session), null);
    await session.pass(3_600);
    assert.equal([session.phase(), session.message()], ['Provisioning', 'Starting service']);
    assert.is(session.app().status?.reconcileRetry?.reconcileFailures ?? 0, 0);
  }),
);

spec('SVC-004a a service waits when a dependency is deleted and created anew', () =>
  withSession(asDraft, async (session) => {
    await readied(session);
    await session.edit((environment) => putReadyProject(environment, 'False'));
    assert.equal([session.phase(), session.message()], ['Provisioning', 'project "shop" is not ready']);
    await session.pass(600);
    await session.edit((environment) => putReadyProject(environment, 'True'));
    assert.is(session.ready(), 'True ServiceReady');
    assert.equal(session.attempts().length, 1, 'no attempt begins for it');
  }),
);

spec('the newest 8 attempts are kept, each with at most 12 errors', () =>
  withSession(asDraft, async (session) => {
    assert.is(await deploy(session), null);
    await session.edit((environment) => kubelet(environment, 'fails'));
    for (let index = 2; index <= 10; index++) {
      assert.is(await deploy(session, `r${index}`), null);
      await session.edit((environment) => kubelet(environment, 'fails'));
      await session.pass(40);
    }
    assert.equal(
      session.attempts().map(({ id }) => id),
      [10, 9, 8, 7, 6, 5, 4, 3].map((index) => `attempt-${index}`),
    );
    assert.ok(session.attempts().every(({ errors = [] }) => errors.length > 0 && errors.length <= 12));
  }),
);

spec('KND-044 a service moves to another environment, and only its own resources in the former one are deleted', () =>
  withSession(
    {
      ...asDraft,
      prepare: (environment) => {
        putProject(environment, { environments: ['production', 'staging'] });
        environment.cluster.put(namespaces, { metadata: { name: 'shop-staging' } });
      },
    },
    async (session) => {
      await readied(session);
      const metadata = { name: 'somebody', namespace: 'shop-production' };
      await session.edit(({ cluster }) => void cluster.put(owned.services, { metadata, spec: { ports: [] } } as never));
      await session.edit((environment) => putService(environment, { environment: 'staging' }));
      assert.ok(deploymentIn(session.environment, 'shop-production'), 'the change waits for a deploy');
      assert.is(await deploy(session, 'r2'), null);
      await session.pass(2);
      assert.ok(objectsIn(session.environment).every((object) => object.metadata.namespace === 'shop-staging'));
      assert.equal(standing(session.environment), all);
      assert.ok(pieceIn(session.environment, owned.services, 'somebody'));
      assert.is(session.app().status?.targetNamespace, 'shop-staging');
    },
  ),
);

spec.run();

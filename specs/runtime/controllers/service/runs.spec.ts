import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import type { Secret } from '../../../../crds/builtIn.ts';
import type { AppSpec } from '../../../../crds/coreApp.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { annotation } from '../../../../crds/names.ts';
import { builds, clusters } from '../../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { secrets } from '../../../../runtime/services/cluster/resources.ts';
import { putNode } from '../../../support/database.ts';
import { inSystem, pieceIn, putProject } from '../../../support/project.ts';
import { deploymentIn, draft, image, kubelet, putService, serviceName, templateIn } from '../../../support/service.ts';
import { suite } from '../../../support/suite.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import { deploy, withSession, running } from './session.ts';

const spec = suite('resources of a service');

const encoded = (value: string) => Buffer.from(value).toString('base64');
const place = { name: serviceName, namespace: 'shop-production' };
const asDraft = (of: Partial<AppSpec> = {}) => ({ spec: { ...of, deploy: { enabled: false } }, annotations: draft });
const container = (environment: TestEnvironment) => templateIn(environment).spec.containers[0];
const variablesIn = (environment: TestEnvironment) =>
  pieceIn(environment, owned.secrets, 'hello-variables') as
    { readonly data?: Readonly<Record<string, string>> } | undefined;
const putValues = ({ cluster }: TestEnvironment, data: Readonly<Record<string, string>>, name = 'hello-variables') =>
  void cluster.put(secrets, {
    metadata: inSystem(name),
    data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, encoded(value)])),
  });
/** What an autoscaler writes into a Deployment. */
const scaled =
  (replicas: number) =>
  ({ cluster }: TestEnvironment) =>
    void Effect.runSync(cluster.patch(owned.deployments, place, { spec: { replicas } }));

spec('KND-031 pods of a service have its image, port and labels, and no service account token', () =>
  withSession({ spec: { port: 9000, resources: { requests: { cpu: '100m' } } } }, async (session) => {
    const { metadata, spec: pod } = templateIn(session.environment);
    assert.equal(metadata.labels, {
      'core.platform/managed-by': 'core',
      'core.platform/kind': 'CoreApp',
      'core.platform/name': 'hello',
      'core.platform/system-namespace': 'core-system',
      'core.platform/app': 'hello',
      'core.platform/project': 'shop',
      'core.platform/environment': 'production',
    });
    assert.is(pod.automountServiceAccountToken, false);
    assert.is(pod.enableServiceLinks, false);
    const [only] = pod.containers;
    assert.is(only?.image, image);
    assert.is(only?.ports?.[0]?.containerPort, 9000);
    assert.equal(only?.env, [{ name: 'PORT', value: '9000' }]);
    assert.equal(only?.resources, { requests: { cpu: '100m' } });
  }),
);

spec(
  'PRJ-014 PRJ-015 PRJ-020 PRJ-037 NET-018 a change of region and tags of the project applies to its pods at once',
  () =>
    withSession(asDraft(), async (session) => {
      await deploy(session);
      await running(session);
      assert.equal(templateIn(session.environment).spec.nodeSelector, { 'core.platform/region': 'local' });
      assert.equal(templateIn(session.environment).metadata.annotations?.[annotation.logShipping], undefined);
      await session.edit((environment) => putProject(environment, { requiredTags: ['certified'] }));
      await session.pass(2);
      const { metadata, spec: pod } = templateIn(session.environment);
      assert.equal(pod.nodeSelector, { 'core.platform/region': 'local', 'core.platform/tag-certified': 'true' });
      assert.equal(pod.tolerations, [
        { key: 'core.platform/reserved', operator: 'Equal', value: 'certified', effect: 'NoSchedule' },
      ]);
      assert.is(metadata.annotations?.[annotation.logShipping], 'off');
      await session.edit((environment) => {
        const [local] = environment.cluster.all(clusters);
        if (local) environment.cluster.put(clusters, { ...local, spec: {} });
        putProject(environment, { requiredTags: [] });
      });
      await session.pass(2);
      assert.equal(
        templateIn(session.environment).spec.nodeSelector ?? {},
        {},
        'without a default region any node will do',
      );
    }),
);

spec('KND-030 a saved value of a variable reaches pods only with a deploy', () =>
  withSession(
    {
      ...asDraft({ secretVariables: { KEY: 'v1' } }),
      prepare: (environment) => putValues(environment, { 'KEY.v1': 'one' }),
    },
    async (session) => {
      await deploy(session);
      await running(session);
      assert.equal(variablesIn(session.environment)?.data, { KEY: encoded('one') });
      const before = deploymentIn(session.environment)?.spec;
      await session.edit((environment) => {
        putValues(environment, { 'KEY.v1': 'one', 'KEY.v2': 'two' });
        putService(environment, { secretVariables: { KEY: 'v2' } });
      });
      await session.pass(60);
      assert.equal(variablesIn(session.environment)?.data, { KEY: encoded('one') });
      assert.equal(deploymentIn(session.environment)?.spec, before);
      assert.is(session.app().metadata.annotations?.[annotation.pendingChanges], 'variables');
      await deploy(session, 'r2');
      assert.equal(variablesIn(session.environment)?.data, { KEY: encoded('two') });
      assert.is(templateIn(session.environment).metadata.annotations?.[annotation.deployRevision], 'r2');
    },
  ),
);

spec('KND-038 pods of an ungated service restart with edited variables', () =>
  withSession(
    {
      spec: { config: { LEVEL: 'debug' }, secretRefs: [{ name: 'hello-keys' }] },
      prepare: (environment) => putValues(environment, { KEY: 'one' }, 'hello-keys'),
    },
    async (session) => {
      await session.pass(2);
      await running(session);
      assert.equal(container(session.environment)?.envFrom, [
        { configMapRef: { name: 'hello-config' } },
        { secretRef: { name: 'hello-variables' } },
      ]);
      const revision = () => templateIn(session.environment).metadata.annotations?.[annotation.variables];
      const first = revision();
      assert.ok(first);
      await session.edit((environment) => putValues(environment, { KEY: 'two' }, 'hello-keys'));
      await session.pass(2);
      assert.equal(variablesIn(session.environment)?.data, { KEY: encoded('two') });
      const second = revision();
      assert.is.not(second, first);
      await session.edit((environment) => putService(environment, { config: { LEVEL: 'info' } }));
      await session.pass(2);
      assert.is.not(revision(), second);
    },
  ),
);

spec('values of secret variables appear neither in the service nor in its template', () =>
  withSession(
    { spec: { secretRefs: [{ name: 'hello-keys' }] }, prepare: (w) => putValues(w, { KEY: 's3cret' }, 'hello-keys') },
    async (session) => {
      await session.pass(2);
      await running(session);
      const told = JSON.stringify([session.app(), deploymentIn(session.environment)]);
      assert.not.match(told, new RegExp(`s3cret|${encoded('s3cret')}`));
    },
  ),
);

spec('SVC-005 resources of a service are restored when a user edits or deletes them', () =>
  withSession({ spec: { networking: { host: 'hello.example' }, config: { LEVEL: 'debug' } } }, async (session) => {
    await running(session);
    const before = deploymentIn(session.environment)?.spec;
    await session.edit(({ cluster }) => {
      const template = { spec: { nodeSelector: { somewhere: 'else' } } };
      Effect.runSync(cluster.patch(owned.deployments, place, { spec: { template, replicas: 5 } }));
    });
    await session.pass(2);
    assert.equal(deploymentIn(session.environment)?.spec.replicas, 1);
    assert.equal(deploymentIn(session.environment)?.spec.template.spec.containers, before?.template.spec.containers);
    for (const resource of [owned.services, owned.ingresses, owned.deployments]) {
      await session.remove(resource, serviceName, 'shop-production');
      await session.pass(2);
      assert.ok(pieceIn(session.environment, resource, serviceName), resource.kind);
    }
    await session.edit(({ cluster }) => {
      const data = { LEVEL: 'other', MORE: 'x' };
      Effect.runSync(cluster.patch(owned.configMaps, { ...place, name: 'hello-config' }, { data }));
    });
    await session.pass(2);
    const config = pieceIn(session.environment, owned.configMaps, 'hello-config') as
      { readonly data?: object } | undefined;
    assert.equal(config?.data, { LEVEL: 'debug' });
  }),
);

spec('KND-035 the number of copies is left to an autoscaler and restored when the autoscaler is deleted', () =>
  withSession({ spec: { replicas: 2 } }, async (session) => {
    await running(session);
    await session.edit((environment) =>
      putService(environment, { autoscaling: { enabled: true, min: 2, max: 6, cpuPercent: 50 } }),
    );
    const autoscaler = JSON.stringify(pieceIn(session.environment, owned.autoscalers, serviceName));
    assert.match(autoscaler, /"maxReplicas":6/);
    assert.match(autoscaler, /"averageUtilization":50/);
    await session.edit(scaled(5));
    await session.pass(1_200);
    assert.is(deploymentIn(session.environment)?.spec.replicas, 5, 'nobody fights over it');
    await session.edit((environment) => kubelet(environment, 'runs'));
    assert.is(session.ready(), 'True ServiceReady');
    const { generation } = deploymentIn(session.environment)?.metadata ?? {};
    await session.pass(1_200);
    assert.is(deploymentIn(session.environment)?.metadata.generation, generation);
    await session.edit((environment) => putService(environment, { autoscaling: { enabled: false } }));
    await session.pass(2);
    assert.is(pieceIn(session.environment, owned.autoscalers, serviceName), undefined);
    assert.is(deploymentIn(session.environment)?.spec.replicas, 2);
    await session.edit(scaled(5));
    await session.pass(2);
    assert.is(deploymentIn(session.environment)?.spec.replicas, 2);
  }),
);

const surge = (environment: TestEnvironment) => deploymentIn(environment)?.spec.strategy?.rollingUpdate?.maxSurge;
const large: Partial<AppSpec> = { resources: { requests: { cpu: '3', memory: '1Gi' } } };

spec('a rollout replaces pods in place when no node has room, until the template changes', () =>
  withSession(asDraft(large), async (session) => {
    await deploy(session);
    await running(session);
    assert.is(surge(session.environment), '25%', 'the first pods take the place of none');
    await deploy(session, 'r2');
    assert.is(surge(session.environment), 0);
    await session.edit((environment) => putNode(environment, '16'));
    await session.edit((environment) => putService(environment, { replicas: 2 }));
    await session.pass(60);
    assert.is(surge(session.environment), 0, 'the template is the same');
    await running(session);
    await deploy(session, 'r3');
    assert.is(surge(session.environment), '25%', 'now there is room');
  }),
);

spec('a pull Secret is passed to the pods and deleted when it is not needed', () =>
  withSession(
    {
      spec: { source: { image, imagePullSecretRef: { name: 'hello-registry' } } },
      prepare: (environment) => putValues(environment, { '.dockerconfigjson': '{"auths":{}}' }, 'hello-registry'),
    },
    async (session) => {
      await session.pass(2);
      assert.equal(templateIn(session.environment).spec.imagePullSecrets, [{ name: 'hello-pull' }]);
      await session.edit((environment) => putService(environment, { source: { image } }));
      await session.pass(2);
      assert.is(pieceIn(session.environment, owned.secrets, 'hello-pull'), undefined);
    },
  ),
);

const pushing = (environment: TestEnvironment) =>
  putValues(environment, { '.registryconfigjson': '{"auths":{"registry.local":{}}}' }, 'push');
const fromRepository: Partial<AppSpec> = {
  source: { git: { repository: 'demo/shop', branch: 'main', commit: 'c'.repeat(40), waitForCI: false } },
  build: { cache: false, registry: { repository: 'registry.local/apps', credentialRef: { name: 'push' } } },
};
const digest = `sha256:${'d'.repeat(64)}`;

spec('BLD-049 BLD-126 nodes pull with the credential of the builder, and a deploy names its current build', () =>
  withSession({ ...asDraft(fromRepository), prepare: pushing }, async (session) => {
    await deploy(session);
    const [build] = session.environment.cluster.all(builds);
    if (!build) throw new Error('nothing is built');
    await deploy(session, 'r2');
    const { buildRef, deploymentRef } = session.app().status?.provision ?? {};
    assert.equal([buildRef, deploymentRef], [build.metadata.name, 'r2']);
    assert.is(pieceIn(session.environment, owned.secrets, 'hello-pull'), undefined, 'while there is no image');
    const status = { phase: 'Succeeded', image: 'registry.local/apps/hello:1', imageDigest: digest };
    await session.edit(({ cluster }) => {
      Effect.runSync(cluster.patchStatus(builds, { name: build.metadata.name }, status));
    });
    await session.pass(2);
    const pull: (Secret & { readonly type?: string }) | undefined = pieceIn(
      session.environment,
      owned.secrets,
      'hello-pull',
    );
    assert.is(pull?.type, 'kubernetes.io/dockerconfigjson');
    assert.equal(pull?.data, { '.dockerconfigjson': encoded('{"auths":{"registry.local":{}}}') });
    const { imagePullSecrets, containers } = templateIn(session.environment).spec;
    assert.equal(imagePullSecrets, [{ name: 'hello-pull' }]);
    assert.is(containers[0]?.image, `registry.local/apps/hello@${digest}`);
  }),
);

spec(
  'PRJ-025 PRJ-070 PRJ-071 a service selects shared variables of its environment, and running pods keep theirs',
  () => {
    const shared = (value: string) => [
      { name: 'LEVEL', environment: 'production', value },
      { name: 'MODE', environment: 'production', value: 'fast' },
      { name: 'DEBUG', environment: 'staging', value: 'yes' },
    ];
    const share = (environment: TestEnvironment, value: string, more: Readonly<Record<string, string>> = {}) => {
      if (Object.keys(more).length === 0) putProject(environment, { sharedVariables: shared(value) });
      environment.cluster.put(owned.configMaps, {
        metadata: {
          name: 'core-shared-variables',
          namespace: 'shop-production',
          labels: { 'core.platform/managed-by': 'core' },
        },
        data: { LEVEL: value, DEBUG: 'of another environment', ...more },
      } as KubeObject);
    };
    const picks = {
      ...asDraft({ sharedVariableRefs: ['LEVEL'] }),
      prepare: (environment: TestEnvironment) => share(environment, 'info'),
    };
    return withSession(picks, async (session) => {
      await deploy(session);
      await running(session);
      const read = { configMapKeyRef: { name: 'core-shared-variables', key: 'LEVEL' } };
      assert.equal(
        container(session.environment)?.env?.find(({ name }) => name === 'LEVEL'),
        { name: 'LEVEL', valueFrom: read },
      );
      const before = deploymentIn(session.environment)?.metadata.generation;
      await session.edit((environment) => share(environment, 'debug'));
      await session.pass(600);
      assert.is(deploymentIn(session.environment)?.metadata.generation, before, 'no pod restarts');
      await session.edit((environment) => putService(environment, { sharedVariableRefs: ['LEVEL', 'DEBUG'] }));
      await deploy(session, 'r2');
      assert.is(session.message(), 'shared variable "DEBUG" was not found', 'it is one of another environment');
      await session.edit((environment) => putService(environment, { sharedVariableRefs: ['LEVEL', 'MODE'] }));
      await deploy(session, 'r3');
      assert.is(session.message(), 'shared variable "MODE" was not found');
      await session.edit((environment) => share(environment, 'debug', { MODE: 'fast' }));
      assert.is(session.message(), 'Starting service', 'what was waited for is used at once');
    });
  },
);

spec('KND-058 the running pods of an ungated service stay when its Secret of variables is deleted and restored', () =>
  withSession(
    {
      spec: { secretRefs: [{ name: 'hello-keys' }] },
      prepare: (environment) => putValues(environment, { KEY: 'one' }, 'hello-keys'),
    },
    async (session) => {
      await session.pass(2);
      await running(session);
      const { uid } = deploymentIn(session.environment)?.metadata ?? {};
      await session.remove(owned.secrets, 'hello-variables', 'shop-production');
      await session.pass(60);
      assert.equal(variablesIn(session.environment)?.data, { KEY: encoded('one') });
      assert.is(deploymentIn(session.environment)?.metadata.uid, uid);
    },
  ),
);

spec('a service without a host gets one without TLS on a machine that accepts visitors', () =>
  withSession({ visitorsPort: 8080 }, async (session) => {
    await session.pass(2);
    const ingress = pieceIn(session.environment, owned.ingresses, 'hello') as
      { readonly spec?: { readonly tls?: unknown; readonly rules?: readonly { readonly host: string }[] } } | undefined;
    assert.equal([ingress?.spec?.rules?.[0]?.host, ingress?.spec?.tls], ['hello.apps.localhost', undefined]);
    assert.is(session.app().status?.url, 'http://hello.apps.localhost:8080');
  }),
);

spec('a service gets no automatic host elsewhere and loses one from a machine that accepts visitors', () =>
  withSession({ annotations: { [annotation.defaultHost]: 'hello.apps.localhost' } }, async (session) => {
    await session.pass(2);
    assert.is(pieceIn(session.environment, owned.ingresses, 'hello'), undefined);
    assert.is(session.app().status?.url, undefined);
    assert.is(session.app().metadata.annotations?.[annotation.defaultHost], undefined);
  }),
);

spec('a service at rest causes no writes and no passes', () =>
  withSession({ spec: { autoscaling: { enabled: true }, networking: { host: 'hello.example' } } }, async (session) => {
    await session.pass(2);
    await running(session);
    await session.pass(60);
    const before = session.environment.cluster.everything().map(({ metadata }) => metadata.resourceVersion);
    const passes = session.environment.metrics.passes();
    await session.pass(3_000);
    assert.equal(
      session.environment.cluster.everything().map(({ metadata }) => metadata.resourceVersion),
      before,
    );
    assert.ok(session.environment.metrics.passes() - passes <= 2, 'it rests');
  }),
);

spec.run();

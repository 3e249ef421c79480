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
import type { World } from '../../../support/world.ts';
import { deploy, living, running } from './live.ts';

const spec = suite('what a service runs on');

const encoded = (value: string) => Buffer.from(value).toString('base64');
const place = { name: serviceName, namespace: 'shop-production' };
const asDraft = (of: Partial<AppSpec> = {}) => ({ spec: { ...of, deploy: { enabled: false } }, annotations: draft });
const container = (world: World) => templateIn(world).spec.containers[0];
const variablesIn = (world: World) =>
  pieceIn(world, owned.secrets, 'hello-variables') as { readonly data?: Readonly<Record<string, string>> } | undefined;
const putValues = ({ cluster }: World, data: Readonly<Record<string, string>>, name = 'hello-variables') =>
  void cluster.put(secrets, {
    metadata: inSystem(name),
    data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, encoded(value)])),
  });
/** What an autoscaler writes into a Deployment. */
const scaled =
  (replicas: number) =>
  ({ cluster }: World) =>
    void Effect.runSync(cluster.patch(owned.deployments, place, { spec: { replicas } }));

spec('KND-031 its pods have the image, the port, the labels of its place, and no token of the cluster', () =>
  living({ spec: { port: 9000, resources: { requests: { cpu: '100m' } } } }, async (live) => {
    const { metadata, spec: pod } = templateIn(live.world);
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
    living(asDraft(), async (live) => {
      await deploy(live);
      await running(live);
      assert.equal(templateIn(live.world).spec.nodeSelector, { 'core.platform/region': 'local' });
      assert.equal(templateIn(live.world).metadata.annotations?.[annotation.logShipping], undefined);
      await live.edit((world) => putProject(world, { requiredTags: ['certified'] }));
      await live.pass(2);
      const { metadata, spec: pod } = templateIn(live.world);
      assert.equal(pod.nodeSelector, { 'core.platform/region': 'local', 'core.platform/tag-certified': 'true' });
      assert.equal(pod.tolerations, [
        { key: 'core.platform/reserved', operator: 'Equal', value: 'certified', effect: 'NoSchedule' },
      ]);
      assert.is(metadata.annotations?.[annotation.logShipping], 'off');
      await live.edit((world) => {
        const [local] = world.cluster.all(clusters);
        if (local) world.cluster.put(clusters, { ...local, spec: {} });
        putProject(world, { requiredTags: [] });
      });
      await live.pass(2);
      assert.equal(templateIn(live.world).spec.nodeSelector ?? {}, {}, 'without a default region any node will do');
    }),
);

spec('KND-030 a value of a variable that is saved later reaches no pod until a deploy', () =>
  living(
    { ...asDraft({ secretVariables: { KEY: 'v1' } }), prepare: (world) => putValues(world, { 'KEY.v1': 'one' }) },
    async (live) => {
      await deploy(live);
      await running(live);
      assert.equal(variablesIn(live.world)?.data, { KEY: encoded('one') });
      const before = deploymentIn(live.world)?.spec;
      await live.edit((world) => {
        putValues(world, { 'KEY.v1': 'one', 'KEY.v2': 'two' });
        putService(world, { secretVariables: { KEY: 'v2' } });
      });
      await live.pass(60);
      assert.equal(variablesIn(live.world)?.data, { KEY: encoded('one') });
      assert.equal(deploymentIn(live.world)?.spec, before);
      assert.is(live.app().metadata.annotations?.[annotation.pendingChanges], 'variables');
      await deploy(live, 'r2');
      assert.equal(variablesIn(live.world)?.data, { KEY: encoded('two') });
      assert.is(templateIn(live.world).metadata.annotations?.[annotation.deployRevision], 'r2');
    },
  ),
);

spec('KND-038 without the gate, pods restart with the variables that were edited', () =>
  living(
    {
      spec: { config: { LEVEL: 'debug' }, secretRefs: [{ name: 'hello-keys' }] },
      prepare: (world) => putValues(world, { KEY: 'one' }, 'hello-keys'),
    },
    async (live) => {
      await live.pass(2);
      await running(live);
      assert.equal(container(live.world)?.envFrom, [
        { configMapRef: { name: 'hello-config' } },
        { secretRef: { name: 'hello-variables' } },
      ]);
      const revision = () => templateIn(live.world).metadata.annotations?.[annotation.variables];
      const first = revision();
      assert.ok(first);
      await live.edit((world) => putValues(world, { KEY: 'two' }, 'hello-keys'));
      await live.pass(2);
      assert.equal(variablesIn(live.world)?.data, { KEY: encoded('two') });
      const second = revision();
      assert.is.not(second, first);
      await live.edit((world) => putService(world, { config: { LEVEL: 'info' } }));
      await live.pass(2);
      assert.is.not(revision(), second);
    },
  ),
);

spec('no value of a secret variable stands in the service or in its template', () =>
  living(
    { spec: { secretRefs: [{ name: 'hello-keys' }] }, prepare: (w) => putValues(w, { KEY: 's3cret' }, 'hello-keys') },
    async (live) => {
      await live.pass(2);
      await running(live);
      const told = JSON.stringify([live.app(), deploymentIn(live.world)]);
      assert.not.match(told, new RegExp(`s3cret|${encoded('s3cret')}`));
    },
  ),
);

spec('SVC-005 what is edited or deleted by hand is put back', () =>
  living({ spec: { networking: { host: 'hello.example' }, config: { LEVEL: 'debug' } } }, async (live) => {
    await running(live);
    const before = deploymentIn(live.world)?.spec;
    await live.edit(({ cluster }) => {
      const template = { spec: { nodeSelector: { somewhere: 'else' } } };
      Effect.runSync(cluster.patch(owned.deployments, place, { spec: { template, replicas: 5 } }));
    });
    await live.pass(2);
    assert.equal(deploymentIn(live.world)?.spec.replicas, 1);
    assert.equal(deploymentIn(live.world)?.spec.template.spec.containers, before?.template.spec.containers);
    for (const resource of [owned.services, owned.ingresses, owned.deployments]) {
      await live.remove(resource, serviceName, 'shop-production');
      await live.pass(2);
      assert.ok(pieceIn(live.world, resource, serviceName), resource.kind);
    }
    await live.edit(({ cluster }) => {
      const data = { LEVEL: 'other', MORE: 'x' };
      Effect.runSync(cluster.patch(owned.configMaps, { ...place, name: 'hello-config' }, { data }));
    });
    await live.pass(2);
    const config = pieceIn(live.world, owned.configMaps, 'hello-config') as { readonly data?: object } | undefined;
    assert.equal(config?.data, { LEVEL: 'debug' });
  }),
);

spec('KND-035 once an autoscaler has set the copies they are not written, and are given back when it goes', () =>
  living({ spec: { replicas: 2 } }, async (live) => {
    await running(live);
    await live.edit((world) => putService(world, { autoscaling: { enabled: true, min: 2, max: 6, cpuPercent: 50 } }));
    const autoscaler = JSON.stringify(pieceIn(live.world, owned.autoscalers, serviceName));
    assert.match(autoscaler, /"maxReplicas":6/);
    assert.match(autoscaler, /"averageUtilization":50/);
    await live.edit(scaled(5));
    await live.pass(1_200);
    assert.is(deploymentIn(live.world)?.spec.replicas, 5, 'nobody fights over it');
    await live.edit((world) => kubelet(world, 'runs'));
    assert.is(live.ready(), 'True ServiceReady');
    const { generation } = deploymentIn(live.world)?.metadata ?? {};
    await live.pass(1_200);
    assert.is(deploymentIn(live.world)?.metadata.generation, generation);
    await live.edit((world) => putService(world, { autoscaling: { enabled: false } }));
    await live.pass(2);
    assert.is(pieceIn(live.world, owned.autoscalers, serviceName), undefined);
    assert.is(deploymentIn(live.world)?.spec.replicas, 2);
    await live.edit(scaled(5));
    await live.pass(2);
    assert.is(deploymentIn(live.world)?.spec.replicas, 2);
  }),
);

const surge = (world: World) => deploymentIn(world)?.spec.strategy?.rollingUpdate?.maxSurge;
const large: Partial<AppSpec> = { resources: { requests: { cpu: '3', memory: '1Gi' } } };

spec('where no pod more fits, a rollout replaces pods in place, and goes on so while its template stays', () =>
  living(asDraft(large), async (live) => {
    await deploy(live);
    await running(live);
    assert.is(surge(live.world), '25%', 'the first pods take the place of none');
    await deploy(live, 'r2');
    assert.is(surge(live.world), 0);
    await live.edit((world) => putNode(world, '16'));
    await live.edit((world) => putService(world, { replicas: 2 }));
    await live.pass(60);
    assert.is(surge(live.world), 0, 'the template is the same');
    await running(live);
    await deploy(live, 'r3');
    assert.is(surge(live.world), '25%', 'now there is room');
  }),
);

spec('a pull Secret is given to its pods, and goes with what it was for', () =>
  living(
    {
      spec: { source: { image, imagePullSecretRef: { name: 'hello-registry' } } },
      prepare: (world) => putValues(world, { '.dockerconfigjson': '{"auths":{}}' }, 'hello-registry'),
    },
    async (live) => {
      await live.pass(2);
      assert.equal(templateIn(live.world).spec.imagePullSecrets, [{ name: 'hello-pull' }]);
      await live.edit((world) => putService(world, { source: { image } }));
      await live.pass(2);
      assert.is(pieceIn(live.world, owned.secrets, 'hello-pull'), undefined);
    },
  ),
);

const pushing = (world: World) =>
  putValues(world, { '.registryconfigjson': '{"auths":{"registry.local":{}}}' }, 'push');
const fromRepository: Partial<AppSpec> = {
  source: { git: { repository: 'demo/shop', branch: 'main', commit: 'c'.repeat(40), waitForCI: false } },
  build: { cache: false, registry: { repository: 'registry.local/apps', credentialRef: { name: 'push' } } },
};
const digest = `sha256:${'d'.repeat(64)}`;

spec('BLD-049 BLD-126 nodes pull with what the builder pushes with, and a deploy names its current build', () =>
  living({ ...asDraft(fromRepository), prepare: pushing }, async (live) => {
    await deploy(live);
    const [build] = live.world.cluster.all(builds);
    if (!build) throw new Error('nothing is built');
    await deploy(live, 'r2');
    const { buildRef, deploymentRef } = live.app().status?.provision ?? {};
    assert.equal([buildRef, deploymentRef], [build.metadata.name, 'r2']);
    assert.is(pieceIn(live.world, owned.secrets, 'hello-pull'), undefined, 'while there is no image');
    const status = { phase: 'Succeeded', image: 'registry.local/apps/hello:1', imageDigest: digest };
    await live.edit(({ cluster }) => {
      Effect.runSync(cluster.patchStatus(builds, { name: build.metadata.name }, status));
    });
    await live.pass(2);
    const pull: (Secret & { readonly type?: string }) | undefined = pieceIn(live.world, owned.secrets, 'hello-pull');
    assert.is(pull?.type, 'kubernetes.io/dockerconfigjson');
    assert.equal(pull?.data, { '.dockerconfigjson': encoded('{"auths":{"registry.local":{}}}') });
    const { imagePullSecrets, containers } = templateIn(live.world).spec;
    assert.equal(imagePullSecrets, [{ name: 'hello-pull' }]);
    assert.is(containers[0]?.image, `registry.local/apps/hello@${digest}`);
  }),
);

spec('PRJ-025 PRJ-070 PRJ-071 a service picks shared variables of its environment; running pods keep theirs', () => {
  const shared = (value: string) => [
    { name: 'LEVEL', environment: 'production', value },
    { name: 'MODE', environment: 'production', value: 'fast' },
    { name: 'DEBUG', environment: 'staging', value: 'yes' },
  ];
  const share = (world: World, value: string, more: Readonly<Record<string, string>> = {}) => {
    if (Object.keys(more).length === 0) putProject(world, { sharedVariables: shared(value) });
    world.cluster.put(owned.configMaps, {
      metadata: {
        name: 'core-shared-variables',
        namespace: 'shop-production',
        labels: { 'core.platform/managed-by': 'core' },
      },
      data: { LEVEL: value, DEBUG: 'of another environment', ...more },
    } as KubeObject);
  };
  const picks = { ...asDraft({ sharedVariableRefs: ['LEVEL'] }), prepare: (world: World) => share(world, 'info') };
  return living(picks, async (live) => {
    await deploy(live);
    await running(live);
    const read = { configMapKeyRef: { name: 'core-shared-variables', key: 'LEVEL' } };
    assert.equal(
      container(live.world)?.env?.find(({ name }) => name === 'LEVEL'),
      { name: 'LEVEL', valueFrom: read },
    );
    const before = deploymentIn(live.world)?.metadata.generation;
    await live.edit((world) => share(world, 'debug'));
    await live.pass(600);
    assert.is(deploymentIn(live.world)?.metadata.generation, before, 'no pod restarts');
    await live.edit((world) => putService(world, { sharedVariableRefs: ['LEVEL', 'DEBUG'] }));
    await deploy(live, 'r2');
    assert.is(live.message(), 'shared variable "DEBUG" was not found', 'it is one of another environment');
    await live.edit((world) => putService(world, { sharedVariableRefs: ['LEVEL', 'MODE'] }));
    await deploy(live, 'r3');
    assert.is(live.message(), 'shared variable "MODE" was not found');
    await live.edit((world) => share(world, 'debug', { MODE: 'fast' }));
    assert.is(live.message(), 'Starting service', 'what was waited for is used at once');
  });
});

spec('KND-058 by hand, a Secret of variables that is deleted comes back, and what runs is never taken away', () =>
  living(
    {
      spec: { secretRefs: [{ name: 'hello-keys' }] },
      prepare: (world) => putValues(world, { KEY: 'one' }, 'hello-keys'),
    },
    async (live) => {
      await live.pass(2);
      await running(live);
      const { uid } = deploymentIn(live.world)?.metadata ?? {};
      await live.remove(owned.secrets, 'hello-variables', 'shop-production');
      await live.pass(60);
      assert.equal(variablesIn(live.world)?.data, { KEY: encoded('one') });
      assert.is(deploymentIn(live.world)?.metadata.uid, uid);
    },
  ),
);

spec('on a machine that lets visitors in, a service without a host has one of its own there, without TLS', () =>
  living({ visitorsPort: 8080 }, async (live) => {
    await live.pass(2);
    const ingress = pieceIn(live.world, owned.ingresses, 'hello') as
      { readonly spec?: { readonly tls?: unknown; readonly rules?: readonly { readonly host: string }[] } } | undefined;
    assert.equal([ingress?.spec?.rules?.[0]?.host, ingress?.spec?.tls], ['hello.apps.localhost', undefined]);
    assert.is(live.app().status?.url, 'http://hello.apps.localhost:8080');
  }),
);

spec('elsewhere it has none, and loses the one that it had of such a machine', () =>
  living({ annotations: { [annotation.defaultHost]: 'hello.apps.localhost' } }, async (live) => {
    await live.pass(2);
    assert.is(pieceIn(live.world, owned.ingresses, 'hello'), undefined);
    assert.is(live.app().status?.url, undefined);
    assert.is(live.app().metadata.annotations?.[annotation.defaultHost], undefined);
  }),
);

spec('at rest nothing is written, and no pass follows another', () =>
  living({ spec: { autoscaling: { enabled: true }, networking: { host: 'hello.example' } } }, async (live) => {
    await live.pass(2);
    await running(live);
    await live.pass(60);
    const before = live.world.cluster.everything().map(({ metadata }) => metadata.resourceVersion);
    const passes = live.world.metrics.passes();
    await live.pass(3_000);
    assert.equal(
      live.world.cluster.everything().map(({ metadata }) => metadata.resourceVersion),
      before,
    );
    assert.ok(live.world.metrics.passes() - passes <= 2, 'it rests');
  }),
);

spec.run();

import * as assert from 'uvu/assert';
import type { AppSpec } from '../../../../crds/coreApp.ts';
import { coreBuild } from '../../../../crds/coreBuild.ts';
import { coreDatabase } from '../../../../crds/coreDatabase.ts';
import { coreGitHostConnection } from '../../../../crds/coreGitHostConnection.ts';
import { corePlatformConfig } from '../../../../crds/corePlatformConfig.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import { annotation } from '../../../../crds/names.ts';
import { clusterNodes } from '../../../../runtime/controllers/capacity.ts';
import { builds, connections, databases, platformConfigs } from '../../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { secrets } from '../../../../runtime/services/cluster/resources.ts';
import { putNode, putReadyProject, putSystemPod } from '../../../support/database.ts';
import { inSystem, pieceIn, putCluster, putProject } from '../../../support/project.ts';
import { appIn, deploymentIn, draft, kubelet, putService, standing } from '../../../support/service.ts';
import { suite } from '../../../support/suite.ts';
import { digest, type TestEnvironment } from '../../../support/environment.ts';
import { deploy, withSession, type ServiceSession, running } from './session.ts';

const spec = suite('the Ready condition of a service');

const git: Partial<AppSpec> = {
  source: { git: { repository: 'acme/shop', commit: 'a'.repeat(40), waitForCI: false } },
};
const failures = (session: ServiceSession) => session.app().status?.reconcileRetry?.reconcileFailures ?? 0;

const putRegistry = ({ cluster }: TestEnvironment) =>
  void cluster.put(platformConfigs, {
    ...typeMeta(corePlatformConfig),
    metadata: inSystem('platform'),
    spec: { dashboardExposure: 'ingress', registry: { repository: 'registry.local/apps' } },
  });
const putConnection = ({ cluster }: TestEnvironment) =>
  void cluster.put(connections, {
    ...typeMeta(coreGitHostConnection),
    metadata: inSystem('forge'),
    spec: { project: 'shop', secretRef: { name: 'forge-token' } },
  });
const putSecret = ({ cluster }: TestEnvironment, name: string, data: Readonly<Record<string, string>> = {}) =>
  void cluster.put(secrets, {
    metadata: inSystem(name),
    data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')])),
  });
const putDatabase = ({ cluster }: TestEnvironment, status: 'True' | 'False') =>
  void cluster.put(databases, {
    ...typeMeta(coreDatabase),
    metadata: inSystem('orders'),
    spec: {
      project: 'shop',
      environment: 'production',
      engine: 'SQLite',
      placement: 'InCluster',
      highAvailability: false,
      version: '16',
      instances: 1,
      deploy: { enabled: true },
    },
    status: {
      conditions: [{ type: 'Ready', status, reason: '', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }],
    },
  });
const readsOrders: Partial<AppSpec> = {
  connectionRefs: [{ kind: 'CoreDatabase', name: 'orders', variable: 'DATABASE_URL', key: 'uri' }],
};

type Row = readonly [
  ids: string,
  message: string,
  counts: 'counted' | 'waiting',
  given: { readonly spec?: Partial<AppSpec>; readonly prepare?: (environment: TestEnvironment) => void },
];

/** What hinders a service that is made by hand, by the row of its Ready table. */
const rows: readonly Row[] = [
  ['SVC-026', 'project "nowhere" does not exist', 'counted', { spec: { project: 'nowhere' } }],
  [
    'SVC-027 PRJ-131',
    'project "shop" is not ready',
    'waiting',
    { prepare: (environment) => putReadyProject(environment, 'False') },
  ],
  ['SVC-028 PRJ-132', 'project "shop" has no staging environment', 'counted', { spec: { environment: 'staging' } }],
  [
    'SVC-029',
    'project "shop" cluster "local" is not ready',
    'waiting',
    { prepare: (environment) => putCluster(environment, 'local', 'False') },
  ],
  [
    'SVC-030',
    'Git host connection "forge" was not found',
    'waiting',
    { spec: git, prepare: (environment) => putProject(environment, { gitConnectionRef: { name: 'forge' } }) },
  ],
  [
    'SVC-031',
    'Secret "forge-token" of Git host connection "forge" was not found',
    'waiting',
    {
      spec: git,
      prepare: (environment) => (
        putProject(environment, { gitConnectionRef: { name: 'forge' } }),
        putConnection(environment)
      ),
    },
  ],
  ['SVC-032', 'no container registry is set for builds', 'counted', { spec: git }],
  ['SVC-033', 'Git source is waiting for a successful build', 'waiting', { spec: git, prepare: putRegistry }],
  ['SVC-035', 'database "orders" does not exist', 'counted', { spec: readsOrders }],
  [
    'SVC-036',
    'database "orders" is not ready',
    'waiting',
    { spec: readsOrders, prepare: (environment) => putDatabase(environment, 'False') },
  ],
  ['SVC-037', 'shared variable "LEVEL" was not found', 'counted', { spec: { sharedVariableRefs: ['LEVEL'] } }],
  ['SVC-037', 'Secret "hello-keys" was not found', 'counted', { spec: { secretRefs: [{ name: 'hello-keys' }] } }],
  ['SVC-037', 'the value of the variable "KEY" was not found', 'counted', { spec: { secretVariables: { KEY: 'v1' } } }],
  [
    'SVC-038 PRJ-014',
    'There is no ready node in the eu region to run this service',
    'counted',
    { prepare: (environment) => putProject(environment, { region: 'eu' }) },
  ],
  [
    'SVC-038 PRJ-020',
    'There is no ready node in the local region with the tags certified to run this service',
    'counted',
    { prepare: (environment) => putProject(environment, { requiredTags: ['certified'] }) },
  ],
  [
    'SVC-039',
    'Every node in the local region is reserved for other work',
    'counted',
    {
      prepare: ({ cluster }) => {
        const [node] = cluster.all(clusterNodes);
        const taints = [{ key: 'core.platform/reserved', value: 'gpu', effect: 'NoSchedule' }];
        if (node) cluster.put(clusterNodes, { ...node, spec: { taints } });
      },
    },
  ],
  [
    'SVC-040',
    'This service needs about 8 CPU and 1Gi memory. The cluster currently has 4 CPU and 8Gi memory available',
    'counted',
    { spec: { resources: { requests: { cpu: '8', memory: '1Gi' } } } },
  ],
  [
    'SVC-040a',
    'No node in the local region takes another pod',
    'counted',
    {
      prepare: (environment) => {
        putNode(environment, '4', '2');
        for (const name of ['coredns', 'kube-proxy']) putSystemPod(environment, name);
      },
    },
  ],
];

for (const [ids, message, counts, given] of rows)
  spec(`${ids} ${counts === 'counted' ? 'KND-059' : 'KND-064'} ${message}`, () =>
    withSession(given, async (session) => {
      assert.is(session.ready(), 'False ReconcileError');
      assert.is(session.message(), message);
      assert.is(failures(session), counts === 'counted' ? 1 : 0);
      assert.equal(standing(session.environment), [], 'nothing is applied');
      await session.pass(600);
      assert.is(session.phase(), counts === 'counted' ? 'ProvisionFailed' : 'Provisioning');
      assert.equal(standing(session.environment), []);
    }),
  );

spec('SVC-034 KND-063 a function becomes ProvisionFailed at once when its code is too long', () =>
  withSession({ spec: { source: { function: { runtime: 'node', code: 'x'.repeat(120_001) } } } }, async (session) => {
    assert.is(session.ready(), 'False ProvisionFailed');
    assert.is(session.message(), 'code must be at most 120000 bytes');
    assert.is(failures(session), 0);
    assert.equal(standing(session.environment), []);
  }),
);

spec('SVC-037a a deleted source of variables is reported without an attempt and without counting a failure', () =>
  withSession(
    {
      spec: { secretRefs: [{ name: 'hello-keys' }] },
      prepare: (environment) => putSecret(environment, 'hello-keys', { KEY: 'one' }),
    },
    async (session) => {
      await running(session);
      assert.is(session.ready(), 'True ServiceReady');
      await session.remove(secrets, 'hello-keys', 'core-system');
      assert.is(session.message(), 'Secret "hello-keys" was not found');
      await session.pass(600);
      assert.equal([failures(session), session.phase()], [0, 'Provisioning']);
      assert.ok(deploymentIn(session.environment), 'what runs is left');
    },
  ),
);

spec(
  'SVC-025 KND-056 running resources stay and a failure is counted when the deployed spec of waiting changes is unknown',
  () =>
    withSession({ annotations: draft, spec: { deploy: { enabled: false } } }, async (session) => {
      await deploy(session);
      await running(session);
      const before = deploymentIn(session.environment);
      await session.edit((environment) =>
        putService(
          environment,
          { port: 9090 },
          { [annotation.pendingChanges]: 'settings', [annotation.lastDeployed]: null },
        ),
      );
      assert.is(session.message(), 'resource has pending changes and no last deployed snapshot');
      assert.is(failures(session), 1);
      assert.equal(deploymentIn(session.environment)?.spec, before?.spec);
    }),
);

spec('SVC-024a an unmanaged object under the same name is unchanged, reported and counted', () =>
  withSession(
    {
      prepare: ({ cluster }) =>
        void cluster.put(owned.services, {
          metadata: { name: 'hello', namespace: 'shop-production' },
          spec: { ports: [] },
        } as never),
    },
    async (session) => {
      await session.pass(1);
      assert.is(session.message(), 'Service shop-production/hello already exists and is not managed by Core');
      assert.is(failures(session), 1);
      await session.pass(600);
      assert.is(session.phase(), 'ProvisionFailed');
      assert.equal(pieceIn(session.environment, owned.services, 'hello')?.metadata.labels, undefined);
      await session.remove();
      await session.pass(31);
      assert.is(appIn(session.environment), undefined);
      assert.ok(pieceIn(session.environment, owned.services, 'hello'), 'nor is it deleted with the service');
    },
  ),
);

/** Says of the build of the service that it made this image. */
const built = (environment: TestEnvironment, of: string) => {
  const [build] = environment.cluster.all(builds);
  if (!build) throw new Error('no build');
  const status = { phase: 'Succeeded' as const, image: 'registry.local/apps:1', imageDigest: digest(of) };
  environment.cluster.put(builds, { ...typeMeta(coreBuild), metadata: build.metadata, spec: build.spec, status });
};

spec('SVC-003 SVC-009a BLD-002 a new digest starts an attempt like a deploy and ends ProvisionFailed', () =>
  withSession({ spec: git, prepare: putRegistry }, async (session) => {
    await session.pass(1);
    assert.is(session.message(), 'Git source is waiting for a successful build');
    await session.edit((environment) => built(environment, 'd'));
    assert.is(
      deploymentIn(session.environment)?.spec.template.spec.containers[0]?.image,
      `registry.local/apps@${digest('d')}`,
    );
    await session.edit((environment) => kubelet(environment, 'fails'));
    await session.pass(200);
    assert.is(session.phase(), 'ProvisionFailed');
    await session.edit((environment) => built(environment, 'e'));
    assert.ok(session.moves('service').includes('ProvisionFailed redeployAsked Provisioning'));
    assert.is(
      deploymentIn(session.environment)?.spec.template.spec.containers[0]?.image,
      `registry.local/apps@${digest('e')}`,
    );
    await running(session);
    assert.is(session.ready(), 'True ServiceReady');
    assert.is(session.app().status?.takenUpImage, `registry.local/apps@${digest('e')}`);
  }),
);

spec('BLD-010 KND-033 builds follow the deployed settings, not saved ones', () =>
  withSession(
    { spec: { ...git, deploy: { enabled: false } }, annotations: draft, prepare: putRegistry },
    async (session) => {
      assert.equal(session.environment.cluster.all(builds), [], 'a draft is not built');
      await deploy(session);
      const [first, ...others] = session.environment.cluster.all(builds);
      assert.ok(first);
      assert.equal(others, []);
      const source = { git: { repository: 'acme/shop', commit: 'b'.repeat(40), waitForCI: false } };
      await session.edit((environment) => putService(environment, { source }));
      await session.pass(60);
      assert.is(session.environment.cluster.all(builds).length, 1);
      await deploy(session, 'r2');
      assert.is(session.environment.cluster.all(builds).length, 2);
      assert.equal(
        session.environment.cluster.all(builds).find(({ metadata }) => metadata.name === first.metadata.name)?.spec,
        first.spec,
      );
    },
  ),
);

spec.run();

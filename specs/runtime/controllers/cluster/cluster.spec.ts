import * as assert from 'uvu/assert';
import { coreCluster, type ClusterSpec, type CoreCluster } from '../../../../crds/coreCluster.ts';
import type { CoreDatabase } from '../../../../crds/coreDatabase.ts';
import { type KubeObject, typeMeta } from '../../../../crds/kind.ts';
import { clusterSources } from '../../../../rules/cluster/addons.ts';
import { publicIPs } from '../../../../rules/cluster/nodes.ts';
import { conditionOf } from '../../../../rules/condition.ts';
import type { ClusterNode } from '../../../../rules/capacity.ts';
import { clusterController } from '../../../../runtime/controllers/cluster/controller.ts';
import {
  clusterIssuers,
  issuerDefinition,
  nodeDrivers,
  ownClasses,
} from '../../../../runtime/controllers/cluster/kinds.ts';
import { databaseController } from '../../../../runtime/controllers/database/controller.ts';
import { helmCharts, storageClasses } from '../../../../runtime/owned/addonKinds.ts';
import { ownNamespace } from '../../../../runtime/controllers/cluster/observe/platformDeletion.ts';
import { clusterNodes } from '../../../../runtime/controllers/capacity.ts';
import { clusters, databases } from '../../../../runtime/services/cluster/kinds.ts';
import { databaseName, putDatabase, putDatabaseEnvironment } from '../../../support/database.ts';
import { issuerKind } from '../../../support/certManager.ts';
import { startSession } from '../../../support/session.ts';
import { inSystem, putProject } from '../../../support/project.ts';
import { suite } from '../../../support/suite.ts';
import type { TestEnvironment } from '../../../support/environment.ts';

const spec = suite('the controller of clusters');

export const nodeOf = (
  name: string,
  addresses: readonly { readonly type: string; readonly address: string }[] = [],
  ready: 'True' | 'False' = 'True',
  labels: Readonly<Record<string, string>> = {},
): ClusterNode => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels },
  status: { conditions: [{ type: 'Ready', status: ready }], addresses },
});
const external = (address: string) => ({ type: 'ExternalIP', address });
const internal = (address: string) => ({ type: 'InternalIP', address });

const putLocal = (environment: TestEnvironment, given: ClusterSpec = {}, name = 'local') => {
  const before = environment.cluster.all(clusters).find(({ metadata }) => metadata.name === name);
  environment.cluster.put(clusters, {
    ...typeMeta(coreCluster),
    metadata: before?.metadata ?? inSystem(name),
    spec: given,
    ...(before?.status === undefined ? {} : { status: before.status }),
  });
};
const putNode = (environment: TestEnvironment, ...given: Parameters<typeof nodeOf>) =>
  void environment.cluster.put(clusterNodes, nodeOf(...given));
const serveIssuers = ({ cluster }: TestEnvironment) =>
  void cluster.put(issuerDefinition, {
    ...issuerKind,
    status: {
      conditions: [
        { type: 'Established', status: 'True', reason: 'I', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
      ],
    },
  });

/** The storage add-on as it registers on a node, and as it stops. */
const serveStorage = ({ cluster }: TestEnvironment, isServed = true) =>
  void cluster.put(nodeDrivers, {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name: 'a' },
    spec: { drivers: isServed ? [{ name: 'driver.longhorn.io' }] : null },
  });

const startClusterSession = (prepare: (environment: TestEnvironment) => void) =>
  startSession<CoreCluster>({
    resource: clusters,
    name: 'local',
    controllers: [clusterController(clusterSources)],
    prepare,
  });
type Session = Awaited<ReturnType<typeof startClusterSession>>;
const issuer = ({ object }: Session) => {
  const { status, reason, message } = conditionOf(object(), 'ClusterIssuerReady') ?? {};
  return [status, reason, message];
};

spec('KND-012 a cluster is Ready while one of its nodes is, and counts them', async () => {
  const cluster = await startClusterSession((environment) => putLocal(environment));
  assert.is(cluster.ready(), 'False NoNodes');
  await cluster.edit((environment) => putNode(environment, 'a', [], 'False'));
  assert.is(cluster.ready(), 'False NodesNotReady');
  await cluster.edit((environment) => putNode(environment, 'b'));
  assert.is(cluster.ready(), 'True NodesReady');
  assert.is(cluster.message(), '1 of 2 nodes are ready');
  assert.is(cluster.object().status?.nodes, 2);
  await cluster.end();
});

spec('public addresses are the external ones of ready nodes, else the public ones among the internal', () => {
  const all = [
    nodeOf('a', [external('203.0.113.9'), internal('10.0.0.1')]),
    nodeOf('b', [external('198.51.100.7')]),
    nodeOf('c', [external('192.0.2.1')], 'False'),
  ];
  assert.equal(publicIPs(all), ['198.51.100.7', '203.0.113.9']);
  assert.equal(publicIPs([nodeOf('a', [internal('8.8.8.8')]), nodeOf('b', [internal('10.0.0.2')])]), ['8.8.8.8']);
  assert.equal(publicIPs([nodeOf('a', [internal('192.168.1.2')])]), []);
});

spec('PLC-072 the issuer acme-prod is created when a contact email is set, and its state is reported', async () => {
  const cluster = await startClusterSession((environment) => {
    putLocal(environment);
    putNode(environment, 'a');
  });
  assert.equal(issuer(cluster), [
    'False',
    'ACMEEmailMissing',
    'spec.acmeEmail is not set, so no certificates are issued',
  ]);
  await cluster.edit((environment) => putLocal(environment, { acmeEmail: 'ops@example.org' }));
  assert.is(issuer(cluster)[1], 'CertificateManagerMissing');

  await cluster.edit(serveIssuers);
  // A kind that appears later is found by the next list.
  await cluster.pass(120);
  const [made] = cluster.environment.cluster.all<KubeObject & { spec?: object }>(clusterIssuers);
  assert.is(made?.metadata.name, 'acme-prod');
  assert.equal(made?.spec, {
    acme: {
      email: 'ops@example.org',
      server: 'https://acme-v02.api.letsencrypt.org/directory',
      privateKeySecretRef: { name: 'acme-prod' },
      solvers: [{ http01: { ingress: {} } }],
    },
  });
  assert.is(issuer(cluster)[1], 'IssuerPending');

  const say = (status: 'True' | 'False', message: string) =>
    cluster.edit(({ cluster: { put, all } }) => {
      const [one] = all(clusterIssuers);
      if (!one) throw new Error('no issuer');
      const condition = { type: 'Ready', status, reason: 'X', message, lastTransitionTime: '2026-01-01T00:00:00Z' };
      put(clusterIssuers, { ...one, status: { conditions: [condition] } });
    });
  await say('False', 'the account was refused');
  assert.equal(issuer(cluster), ['False', 'IssuerNotReady', 'the account was refused']);
  await say('True', 'registered');
  assert.equal(issuer(cluster).slice(0, 2), ['True', 'IssuerReady']);

  await cluster.edit((environment) => putLocal(environment));
  assert.equal(cluster.environment.cluster.all(clusterIssuers), []);
  await cluster.end();
});

spec('an unmanaged issuer is reported and left unchanged', async () => {
  const cluster = await startClusterSession((environment) => {
    serveIssuers(environment);
    putNode(environment, 'a');
    environment.cluster.put(clusterIssuers, {
      metadata: { name: 'acme-prod', labels: { by: 'hand' } },
      spec: {},
    } as KubeObject);
    putLocal(environment, { acmeEmail: 'ops@example.org' });
  });
  await cluster.pass(60);
  const [one] = cluster.environment.cluster.all(clusterIssuers);
  assert.equal(one?.metadata.labels, { by: 'hand' });
  assert.is(issuer(cluster)[1], 'IssuerPending');
  await cluster.end();
});

const classNames = ({ environment }: Session) =>
  environment.cluster
    .all(storageClasses)
    .map(({ metadata }) => metadata.name)
    .toSorted();

spec(
  'DB-185 DB-186 DB-187 PRJ-043 the cluster creates storage classes for replication, regions and required tags',
  async () => {
    const cluster = await startClusterSession((environment) => {
      putNode(environment, 'a', [], 'True', { 'core.platform/region': 'north' });
      putNode(environment, 'b', [], 'True', { 'core.platform/region': 'south' });
      putLocal(environment, { defaultRegion: 'north', addons: { storage: true } });
      serveStorage(environment);
    });
    await cluster.pass(10);
    assert.equal(
      cluster.environment.cluster.all(helmCharts).map(({ metadata }) => metadata.name),
      ['core-storage'],
    );
    assert.equal(classNames(cluster), ['core-replicated', 'core-replicated-south', 'core-single']);
    await cluster.edit((environment) =>
      putProject(environment, { region: 'south', requiredTags: ['certified', 'fast'] }),
    );
    await cluster.pass(10);
    const tagged = cluster.environment.cluster
      .all(ownClasses)
      .find(({ metadata }) => metadata.name.startsWith('core-tagged-'));
    assert.equal(tagged?.allowedTopologies, [
      {
        matchLabelExpressions: [
          { key: 'core.platform/region', values: ['south'] },
          { key: 'core.platform/tag-certified', values: ['true'] },
          { key: 'core.platform/tag-fast', values: ['true'] },
        ],
      },
    ]);
    assert.is(tagged?.provisioner, 'driver.longhorn.io');
    const before = cluster.environment.cluster.changesOf('storageclasses');
    await cluster.pass(600);
    assert.is(
      cluster.environment.cluster.changesOf('storageclasses'),
      before,
      'nothing is written while nothing changes',
    );
    await cluster.end();
  },
);

spec(
  'DB-184 DB-185 a storage class exists when the storage add-on serves volumes, and stays over a restart of the add-on',
  async () => {
    const cluster = await startClusterSession((environment) => {
      putNode(environment, 'a', [], 'True', { 'core.platform/region': 'south' });
      serveStorage(environment, false);
      putLocal(environment, { defaultRegion: 'north', addons: { storage: true } });
      putProject(environment, { region: 'south', requiredTags: ['certified'] });
    });
    await cluster.pass(20 * 60);
    assert.is(cluster.environment.cluster.all(helmCharts).length, 1);
    assert.equal(classNames(cluster), [], 'nobody serves them');
    await cluster.edit(serveStorage);
    await cluster.pass(10);
    const all = classNames(cluster);
    assert.equal(all.slice(0, 3), ['core-replicated', 'core-replicated-south', 'core-single']);
    await cluster.edit((environment) => serveStorage(environment, false));
    await cluster.pass(600);
    assert.equal(classNames(cluster), all);
    await cluster.end();
  },
);

spec('DB-183 DB-184 a database waits for an unserved storage class and fails after 15 minutes', async () => {
  const orders = await startSession<CoreDatabase>({
    resource: databases,
    name: databaseName,
    controllers: [databaseController(), clusterController(clusterSources)],
    prepare: (environment) => {
      putDatabaseEnvironment(environment);
      putLocal(environment, { defaultRegion: 'local', addons: { storage: true } });
      putDatabase(environment, { deploy: { enabled: true } });
    },
  });
  await orders.pass(14 * 60);
  assert.is(orders.message(), 'Storage is starting');
  await orders.pass(95);
  assert.is(orders.message(), 'Storage is unavailable');
  await orders.edit(serveStorage);
  await orders.pass(40);
  assert.is(orders.message(), 'Starting service');
  await orders.end();
});

spec('an unmanaged storage class is used as it is, and disabling the add-on uninstalls nothing', async () => {
  const cluster = await startClusterSession((environment) => {
    putNode(environment, 'a', [], 'True', { 'core.platform/region': 'south' });
    environment.cluster.put(storageClasses, { metadata: { name: 'core-replicated' }, provisioner: 'p' } as KubeObject);
    putLocal(environment, { defaultRegion: 'north', addons: { storage: true } });
  });
  await cluster.pass(10);
  assert.equal(cluster.environment.cluster.all(helmCharts), []);
  assert.equal(classNames(cluster), ['core-replicated', 'core-replicated-south']);
  await cluster.end();

  const own = await startClusterSession((environment) => {
    putNode(environment, 'a');
    putLocal(environment, { addons: { storage: true, serverless: true } });
  });
  await own.pass(10);
  const charts = () =>
    own.environment.cluster
      .all(helmCharts)
      .map(({ metadata }) => metadata.name)
      .toSorted();
  assert.equal(charts(), ['core-serverless', 'core-serverless-http', 'core-storage']);
  await own.edit((environment) => putLocal(environment, {}));
  await own.pass(10);
  assert.equal(charts(), ['core-storage'], 'what lets services sleep goes; volumes would be lost with the storage');
  await own.end();
});

spec('the namespace of the platform is deleted with its cluster, without waiting for pods', async () => {
  const cluster = await startClusterSession((environment) => {
    putNode(environment, 'a');
    serveStorage(environment);
    putLocal(environment, { addons: { storage: true } });
  });
  await cluster.pass(10);
  const before = classNames(cluster);
  assert.ok(before.includes('core-replicated'));
  assert.equal(cluster.object().metadata.finalizers, ['core.platform/cluster']);
  // Known to the next process from its first pass on, as in the seconds before a namespace is emptied.
  await cluster.crash((through) => {
    const deletionTimestamp = '2027-01-01T00:00:10Z';
    cluster.environment.cluster.put(ownNamespace, {
      metadata: { name: 'core-system', deletionTimestamp, finalizers: ['kubernetes'] },
    });
    return through;
  });
  await cluster.pass(600);
  assert.is(cluster.found(), undefined);
  assert.equal(classNames(cluster), before, 'what volumes are made by stays');
  await cluster.end();
});

spec.run();

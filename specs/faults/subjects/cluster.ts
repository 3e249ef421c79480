import { coreCluster, type ClusterSpec, type CoreCluster } from '../../../crds/coreCluster.ts';
import { typeMeta } from '../../../crds/kind.ts';
import { clusterSources } from '../../../rules/cluster/addons.ts';
import { conditionOf } from '../../../rules/condition.ts';
import { clusterController } from '../../../runtime/controllers/cluster/controller.ts';
import {
  clusterIssuers,
  issuerDefinition,
  nodeDrivers,
  ownClasses,
} from '../../../runtime/controllers/cluster/kinds.ts';
import { helmCharts } from '../../../runtime/owned/addonKinds.ts';
import { clusterNodes } from '../../../runtime/controllers/capacity.ts';
import { clusters, everyKind } from '../../../runtime/services/cluster/kinds.ts';
import { issuerKind } from '../../support/certManager.ts';
import { inSystem } from '../../support/project.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import type { Act, FaultSubject, Oracle, Path } from './subject.ts';

const name = 'local';
const clusterIn = ({ cluster }: TestEnvironment): CoreCluster | undefined =>
  cluster.all(clusters).find(({ metadata }) => metadata.name === name);

function putCluster(environment: TestEnvironment, spec: ClusterSpec): void {
  const before = clusterIn(environment);
  environment.cluster.put(clusters, {
    ...typeMeta(coreCluster),
    metadata: before?.metadata ?? inSystem(name),
    spec,
    ...(before?.status === undefined ? {} : { status: before.status }),
  });
}
const putNode = (environment: TestEnvironment, node: string, region = '', isUp = true) =>
  void environment.cluster.put(clusterNodes, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: node, ...(region === '' ? {} : { labels: { 'core.platform/region': region } }) },
    status: {
      conditions: [{ type: 'Ready', status: isUp ? 'True' : 'False' }],
      addresses: [{ type: 'ExternalIP', address: '203.0.113.9' }],
    },
  });
const established = { type: 'Established', status: 'True', reason: 'I', message: '' } as const;
const serveIssuers = ({ cluster }: TestEnvironment) =>
  void cluster.put(issuerDefinition, {
    ...issuerKind,
    status: { conditions: [{ ...established, lastTransitionTime: '2026-01-01T00:00:00Z' }] },
  });

const serveStorage = ({ cluster }: TestEnvironment) =>
  void cluster.put(nodeDrivers, {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name: 'a' },
    spec: { drivers: [{ name: 'driver.longhorn.io' }] },
  });

const reasonIn = (environment: TestEnvironment): string => {
  const cluster = clusterIn(environment);
  return cluster ? (conditionOf(cluster, 'Ready')?.reason ?? '') : '';
};
const once = (reason: string, text: string, edit: (environment: TestEnvironment) => void): Act => ({
  text,
  when: (environment) => reasonIn(environment) === reason,
  edit,
});

type Told = readonly [name: string, given: Path['given'], ...script: readonly Act[]];
const told: readonly Told[] = [
  [
    'a node becomes ready',
    (environment) => {
      putNode(environment, 'a', '', false);
      putCluster(environment, {});
    },
    once('NodesNotReady', 'it is ready', (environment) => putNode(environment, 'a')),
  ],
  [
    'the add-ons are installed and the one taken away',
    (environment) => {
      putNode(environment, 'a', 'south');
      putCluster(environment, { defaultRegion: 'north', addons: { storage: true, serverless: true } });
    },
    once('NodesReady', 'the storage is served', serveStorage),
    once('NodesReady', 'nothing sleeps any more', (environment) =>
      putCluster(environment, { defaultRegion: 'north', addons: { storage: true } }),
    ),
  ],
  [
    'certificates are asked for',
    (environment) => {
      serveIssuers(environment);
      putNode(environment, 'a');
      putCluster(environment, {});
    },
    once('NodesReady', 'there is an address', (environment) =>
      putCluster(environment, { acmeEmail: 'ops@example.org' }),
    ),
  ],
];

const names = (
  environment: TestEnvironment,
  of: typeof helmCharts | typeof ownClasses | typeof clusterIssuers,
): readonly string[] => environment.cluster.all(of).map(({ metadata }) => metadata.name);

/** What its settings ask for stands at rest, and nothing else; volumes are never lost with their add-on. */
function oracle(environment: TestEnvironment, hasUserEdits: boolean): Oracle {
  let hadStorage = false;
  return {
    look: () => {
      const has = names(environment, helmCharts).includes('core-storage');
      const lost = hadStorage && !has && !hasUserEdits;
      hadStorage = hadStorage || has;
      return lost ? ['what serves volumes was uninstalled'] : [];
    },
    atRest: () => {
      const { addons = {}, acmeEmail = '' } = clusterIn(environment)?.spec ?? {};
      const charts = names(environment, helmCharts);
      const isRight = (wanted: boolean, chart: string) => wanted === charts.includes(chart);
      return [
        ...(addons.storage !== true || charts.includes('core-storage') ? [] : ['the storage is not installed']),
        ...(isRight(addons.serverless === true, 'core-serverless') ? [] : ['the wake-up is not as it is to be']),
        ...(names(environment, clusterIssuers).includes('acme-prod') === (acmeEmail !== '')
          ? []
          : ['the issuer is not as it is to be']),
        ...(addons.storage !== true || names(environment, ownClasses).includes('core-replicated')
          ? []
          : ['there is no storage class']),
      ];
    },
  };
}

/** The cluster: its nodes, its issuer of certificates, and what its settings install. */
export const clusterSubject: FaultSubject = {
  name: 'cluster',
  tables: [],
  controllers: () => [clusterController(clusterSources)],
  alsoSeen: everyKind,
  paths: told.map(([text, given, ...script]) => ({
    name: text,
    given,
    script,
    actors: () => [],
    ends: ['NodesReady'],
  })),
  state: reasonIn,
  userEdits: {
    'the issuer is deleted': ({ cluster }) => {
      if (cluster.all(clusterIssuers).length > 0) cluster.drop(clusterIssuers, 'acme-prod', '');
    },
    'a node goes': ({ cluster }) => cluster.drop(clusterNodes, 'b', ''),
  },
  oracle,
};

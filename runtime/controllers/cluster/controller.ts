import type { KubeObject } from '../../../crds/kind.ts';
import { nodePlacementOf } from '../../../rules/database/nodePlacement.ts';
import { everyChange, specRead, standingOf } from '../../contract/reads.ts';
import { nodeRead } from '../node/read.ts';
import { Effect } from 'effect';
import type { CoreCluster } from '../../../crds/coreCluster.ts';
import { key } from '../../../crds/names.ts';
import { type ClusterSources, storageChartName } from '../../../rules/cluster/addons.ts';
import { issuerVerdicts } from '../../../rules/cluster/issuer.ts';
import { publicIPs } from '../../../rules/cluster/nodes.ts';
import { clusterReady } from '../../../rules/cluster/ready.ts';
import { withCondition } from '../../../rules/condition.ts';
import { isUp } from '../../../rules/capacity.ts';
import { readOut } from '../../../rules/verdict.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { clusters, databases, projects } from '../../services/cluster/kinds.ts';
import { type Controller, controller, type Deriving, watching } from '../../contract/controller.ts';
import { makeOwned } from '../../owned/owned.ts';
import type { Resource } from '../../services/cluster/cluster.ts';
import { helmCharts, scaledObjects, storageClasses } from '../../owned/addonKinds.ts';
import { isPlatformDeleting, ownNamespaceWatch } from './observe/platformDeletion.ts';
import { clusterNodes } from '../capacity.ts';
import { clusterIssuers, issuerDefinition, nodeDrivers, ownClasses } from './kinds.ts';
import { issuerSeen } from './observe.ts';
import { wantedOf } from './owned.ts';
import { holds } from '../../contract/ensure.ts';
import { isDeleting } from '../../../rules/deleting.ts';

/** CoreCluster: reports its nodes and its issuer of certificates, and installs what its settings request. */
export function clusterController(sources: ClusterSources): Controller {
  const ownedResources = makeOwned<CoreCluster>({
    owners: clusters,
    resources: [helmCharts, ownClasses, clusterIssuers],
    desired: wantedOf(sources),
    // Uninstalling the add-on would lose its volumes, so turning it off does not uninstall it.
    leaves: ({ metadata }, one) => one.metadata.name === storageChartName && !isDeleting({ metadata }),
  });
  const all = (_: unknown, reader: CacheReader) => reader.list(clusters).map(({ metadata }) => metadata.name);
  const seenBy = <W extends KubeObject>(resource: Resource<W>, reads: (watched: W) => unknown) =>
    watching<W>({ resource, reads, concerns: all });
  return controller<CoreCluster>({
    resource: clusters,
    lifecycles: [],
    watches: [
      ...ownedResources.watches.filter(({ resource }) => resource !== clusterIssuers),
      ownNamespaceWatch(clusters),
      seenBy(clusterNodes, nodeRead),
      seenBy(storageClasses, everyChange),
      seenBy(nodeDrivers, everyChange),
      seenBy(issuerDefinition, standingOf),
      seenBy(clusterIssuers, specRead),
      // For the placement of their workloads.
      seenBy(projects, ({ spec }) => [spec.clusterRef, spec.region, spec.requiredTags]),
      seenBy(databases, (database) => [database.spec.project, nodePlacementOf(database)]),
      // Only its existence matters.
      seenBy(scaledObjects, () => null),
    ],
    derive,
    ensures: {
      pieces: {
        // The charts are deleted with the namespace, which has no other meaning.
        run: (given) => (isPlatformDeleting(given.reader) ? Effect.succeed(holds) : ownedResources.ensure.run(given)),
        schedule: { firstMs: 5_000, maxMs: 300_000 },
      },
      settled: ownedResources.settled,
    },
    finalizer: { name: key('cluster'), release: ownedResources.confirmDeleted, isGivenUp: isPlatformDeleting },
    onMissing: ownedResources.sweep,
  });
}

function derive(cluster: CoreCluster, { reader, now }: Deriving) {
  const nodes = reader.list(clusterNodes);
  const ready = readOut('Ready', clusterReady, { nodes: nodes.length, up: nodes.filter(isUp).length });
  const issuer = readOut('ClusterIssuerReady', issuerVerdicts, issuerSeen(cluster, reader));
  const conditions = withCondition(cluster, ready, now);
  return {
    nodes: nodes.length,
    publicIPs: publicIPs(nodes),
    conditions: withCondition({ ...cluster, status: { ...cluster.status, conditions } }, issuer, now),
  };
}

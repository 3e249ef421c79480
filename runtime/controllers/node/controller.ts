import { Effect } from 'effect';
import type { CoreNode } from '../../../crds/coreNode.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { key } from '../../../crds/names.ts';
import { withCondition } from '../../../rules/condition.ts';
import { isGiven, nodeFor, placePatch, releasePatch } from '../../../rules/node/place.ts';
import { joinTokenSecret, nodeVerdicts } from '../../../rules/node/ready.ts';
import type { ClusterNode } from '../../../rules/capacity.ts';
import { firstHeld, readOut } from '../../../rules/verdict.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { nodes } from '../../services/cluster/kinds.ts';
import { type Controller, controller, type Deriving, watching } from '../../contract/controller.ts';
import { secrets } from '../../services/cluster/resources.ts';
import { asSeen, Cluster, type Resource } from '../../services/cluster/cluster.ts';
import { isPlatformDeleting, ownNamespaceWatch } from '../cluster/read.ts';
import { nodeRead } from './read.ts';
import { clusterNodes } from '../capacity.ts';
import { joined } from './ensures.ts';
import { nodeOf, nodeSeen } from './observe.ts';
import { bySshKey } from '../../services/cluster/indexes.ts';
import { dataOf } from '../../contract/reads.ts';
import { done, type Ensure, holds, ServiceFailed } from '../../contract/ensure.ts';
import { namesBy } from '../../cache/names.ts';

/** CoreNode: joins a server to the cluster, and sets region, tags and reservation of its node. */
export const nodeController = (installer: string): Controller =>
  controller<CoreNode>({
    resource: nodes,
    lifecycles: [],
    watches: [
      ownNamespaceWatch(nodes),
      watching({
        resource: clusterNodes,
        reads: nodeRead,
        concerns: (node, reader) => [...reader.list(nodes).map(nameOf), ...(isGiven(node) ? [node.metadata.name] : [])],
      }),
      watching({
        resource: secrets,
        reads: dataOf,
        concerns: ({ metadata }, reader) => readersOf(metadata.name, reader),
      }),
    ],
    derive,
    ensures: { placed, joined: joined(installer) },
    finalizer: { name: key('node'), release: released, isGivenUp: isPlatformDeleting },
    onMissing: late,
  });

const nameOf = ({ metadata }: CoreNode): string => metadata.name;
const readersOf = (secret: string, reader: CacheReader): readonly string[] =>
  secret === joinTokenSecret ? reader.list(nodes).map(nameOf) : namesBy(reader, nodes, bySshKey, secret);

function derive(server: CoreNode, { reader, now, failures }: Deriving) {
  const seen = nodeSeen(server, reader, failures.get('joined')?.why ?? '');
  return {
    phase: firstHeld('Ready', nodeVerdicts, seen).phase,
    conditions: withCondition(server, readOut('Ready', nodeVerdicts, seen), now),
  };
}

/** Writes over the version that was read, because a list of taints is replaced whole. */
const patchNode = Effect.fnUntraced(function* (node: ClusterNode, patch: object | null) {
  if (patch === null) return holds;
  const cluster = yield* Cluster;
  yield* cluster.patch(clusterNodes, { name: node.metadata.name }, patch, asSeen(node));
  return done;
});

const placed: Ensure<CoreNode> = {
  run: ({ object: server, reader }) => {
    const node = nodeOf(server, reader);
    return node === undefined ? Effect.succeed(holds) : patchNode(node, placePatch(node, server));
  },
};

const listed = <O extends KubeObject>(resource: Resource<O>) =>
  Effect.flatMap(Cluster, (cluster) => cluster.list(resource)).pipe(
    Effect.map(({ items }) => items),
    Effect.mapError(() => new ServiceFailed({ message: `the ${resource.plural} could not be listed` })),
  );

/** Reads directly, because a node missing from the cache would keep its labels and taints forever. */
const released: Ensure<CoreNode> = {
  run: ({ object: server }) =>
    Effect.gen(function* () {
      const node = nodeFor(server, yield* listed(clusterNodes));
      return node === undefined ? holds : yield* patchNode(node, releasePatch(node));
    }),
};

/** Removes what a paused leader set on a node after its server was removed. */
const late: NonNullable<Controller<CoreNode>['onMissing']> = (name, { reader }) =>
  Effect.gen(function* () {
    const node = reader.get(clusterNodes, name);
    if (node === undefined || !isGiven(node)) return;
    const servers = yield* listed(nodes);
    if (!servers.some((server) => nodeFor(server, reader.list(clusterNodes)) === node))
      yield* patchNode(node, releasePatch(node));
  });

import type { CoreCluster } from '../../crds/coreCluster.ts';
import type { CoreNode } from '../../crds/coreNode.ts';
import type { View } from '../../rules/access/needs.ts';
import { conditionOf } from '../../rules/condition.ts';
import { redacted, type RedactedCopy } from '../../rules/redaction/redact.ts';
import { messageInWords } from '../../rules/redaction/words.ts';
import { stateOf } from '../../rules/state.ts';
import { type ClusterNode, isUp, regionOfNode, tagsOfNode } from '../../rules/capacity.ts';
import type { Read, Summary } from '../routes/resource.ts';

/** What every summary of an object has that belongs to no project. */
const common = (kind: string, object: CoreNode | CoreCluster, view: View): Omit<Summary, 'details'> => ({
  kind,
  name: object.metadata.name,
  displayName: object.metadata.name,
  project: '',
  environment: '',
  state: stateOf({ metadata: object.metadata, status: object.status ?? {} }),
  message: messageInWords(conditionOf(object, 'Ready') ?? { reason: '', message: '' }, view),
  createdAt: object.metadata.creationTimestamp ?? '',
  url: '',
  cause: null,
});

const nodeOf = (
  server: CoreNode,
  copy: RedactedCopy<CoreNode>,
  view: View,
  node: ClusterNode | undefined,
): Summary => ({
  ...common('CoreNode', server, view),
  details: {
    region: copy.spec.region ?? '',
    tags: copy.spec.tags ?? [],
    reserved: copy.spec.reserved ?? '',
    phase: copy.status.phase ?? '',
    ready: conditionOf(server, 'Ready')?.status === 'True',
    schedulable: node !== undefined && node.spec?.unschedulable !== true,
    address: copy.spec.address ?? '',
    reason: conditionOf(server, 'Ready')?.reason ?? '',
  },
});

/** A node of the cluster that is no server of the list; like that of a server, its address is hidden from some views. */
export function unmanagedNode(node: ClusterNode, view: View) {
  const { metadata, status } = node;
  const { name } = metadata;
  const own = (status?.addresses ?? []).find(({ type }) => type === 'InternalIP')?.address;
  return {
    name,
    ready: isUp(node),
    address: view === 'whole' ? (own ?? name) : '',
    region: regionOfNode(node),
    tags: tagsOfNode(node),
  };
}

/** A server of the cluster, redacted for a view, beside the node that it has become. */
export const nodeSummary = (server: CoreNode, view: View, node: ClusterNode | undefined): Summary =>
  nodeOf(server, redacted('CoreNode', server, view), view, node);

export function nodeRead(server: CoreNode, view: View, node: ClusterNode | undefined): Read {
  const copy = redacted('CoreNode', server, view);
  return { resource: nodeOf(server, copy, view, node), spec: copy.spec, status: copy.status };
}

/** A cluster with its settings, redacted for a view. */
export function clusterRead(cluster: CoreCluster, view: View): Read {
  const copy = redacted('CoreCluster', cluster, view);
  const details = {
    defaultRegion: copy.spec.defaultRegion ?? '',
    nodes: copy.status.nodes ?? 0,
    storage: copy.spec.addons?.storage ?? false,
    serverless: copy.spec.addons?.serverless ?? false,
    issuer: conditionOf(cluster, 'ClusterIssuerReady')?.reason ?? '',
    reason: conditionOf(cluster, 'Ready')?.reason ?? '',
  };
  return { resource: { ...common('CoreCluster', cluster, view), details }, spec: copy.spec, status: copy.status };
}

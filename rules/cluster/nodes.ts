import { label } from '../../crds/names.ts';
import { type ClusterNode, isUp } from '../capacity.ts';
import { rangeOf } from '../webhookDelivery/range.ts';

const addressesOf = ({ status }: ClusterNode, type: string): readonly string[] =>
  (status?.addresses ?? []).filter((one) => one.type === type).map(({ address }) => address);

const isPublic = (address: string) => rangeOf(address) === 'public';

/**
 * Where visitors reach the cluster: the external addresses of its ready nodes, or their internal ones when those are
 * public (decision 105).
 */
export function publicIPs(nodes: readonly ClusterNode[]): readonly string[] {
  const up = nodes.filter(isUp);
  const external = up.flatMap((node) => addressesOf(node, 'ExternalIP'));
  const found = external.length > 0 ? external : up.flatMap((node) => addressesOf(node, 'InternalIP')).filter(isPublic);
  return [...new Set(found)].toSorted();
}

/** The regions that nodes are labelled with. */
export const regionsOf = (nodes: readonly ClusterNode[]): readonly string[] =>
  [...new Set(nodes.map(({ metadata }) => metadata.labels?.[label.region] ?? ''))]
    .filter((region) => region !== '')
    .toSorted();

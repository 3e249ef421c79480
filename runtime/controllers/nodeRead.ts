import { given } from '../../rules/node/place.ts';
import type { ClusterNode } from '../../rules/room.ts';

/** What passes read of a node of the cluster: a kubelet writes into it every few minutes, and nobody needs most of that. */
export const nodeRead = ({
  metadata: { labels, annotations, deletionTimestamp },
  spec,
  status,
}: ClusterNode): unknown => [
  labels,
  annotations?.[given],
  deletionTimestamp,
  spec,
  status?.allocatable,
  status?.addresses,
  status?.conditions?.map(({ type, status: is }) => [type, is]),
];

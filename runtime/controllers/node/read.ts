import { nodePlacementOf } from '../../../rules/database/nodePlacement.ts';
import type { TaggedDatabase } from '../../../rules/node/tags.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { any, byTagged } from '../../services/cluster/indexes.ts';
import { databases } from '../../services/cluster/kinds.ts';
import { given } from '../../../rules/node/place.ts';
import type { ClusterNode } from '../../../rules/capacity.ts';

export { clusterNodes } from '../capacity.ts';
export { nodeOf } from './observe.ts';

/** The databases whose data stay on nodes with tags that their projects require. */
export const taggedDatabases = (reader: CacheReader): readonly TaggedDatabase[] =>
  reader.indexed(databases, byTagged.name, any).flatMap((database): readonly TaggedDatabase[] => {
    const placement = nodePlacementOf(database);
    if (placement === null) return [];
    const { region, required } = placement;
    return [{ name: database.metadata.name, project: database.spec.project ?? '', region, tags: required }];
  });

/** The fields of a cluster node that passes read; a kubelet updates others every few minutes. */
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

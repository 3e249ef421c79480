import type { CoreDatabase, DatabaseSpec } from '../../../crds/coreDatabase.ts';
import { resourcesOf } from '../../../rules/database/effective.ts';
import { selectorLabels } from '../../../rules/database/labels.ts';
import { placementOf } from '../../../rules/database/nodePlacement.ts';
import { placeText } from '../../../rules/database/place.ts';
import { instancesNeeded } from '../../../rules/database/wanted.ts';
import type { RoomSeen } from '../../../rules/draftDeploy/facts.ts';
import { type ClusterNode, cpuText, memoryText, needOf, type PlacedPod, roomFor } from '../../../rules/room.ts';
import { ownedKind } from '../../owned/owned.ts';
import { jobPods } from '../../resources.ts';
import type { CacheReader } from '../../cache/reader.ts';
import type { Resource } from '../../services/cluster.ts';
import { placedOf } from './spec.ts';
import { wantedOf } from './wanted.ts';

/** All nodes of the cluster, including those that Core did not create. */
export const clusterNodes: Resource<ClusterNode> = {
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  namespaced: false,
  cached: {},
};

/** The pods of Core's workloads, in every namespace. */
export const workloadPods = ownedKind<PlacedPod>({ group: '', kind: 'Pod', plural: 'pods' });

/**
 * What the cluster offers the instances of a database, by its nodes and what Core runs on them, without the database's
 * own pods.
 */
export interface Offered {
  readonly nodes: 'fit' | 'none' | 'reserved';
  readonly crowded: { readonly cpu: string; readonly memory: string; readonly free: string } | null;
}

const everywhere: Offered = { nodes: 'fit', crowded: null };

export function offeredTo(database: CoreDatabase, spec: DatabaseSpec, reader: CacheReader): Offered {
  const copies = instancesNeeded(wantedOf(spec, ''));
  if (copies === 0) return everywhere;
  const need = needOf(resourcesOf(spec));
  const own = Object.entries(selectorLabels(database));
  const isOwn = ({ metadata: { labels = {} } }: PlacedPod) => own.every(([key, value]) => labels[key] === value);
  const pods = [...reader.list(workloadPods).filter((pod) => !isOwn(pod)), ...reader.list(jobPods)];
  const placement = placementOf(placedOf(database, spec, reader));
  const room = roomFor({ need, copies, placement }, { nodes: reader.list(clusterNodes), pods });
  if (room.nodes !== 'fit' || room.copies === copies) return { nodes: room.nodes, crowded: null };
  const free = `${cpuText(room.free.cpu)} CPU and ${memoryText(room.free.memory)} memory`;
  return { nodes: 'fit', crowded: { cpu: cpuText(need.cpu), memory: memoryText(need.memory), free } };
}

/** Whether a deploy of the current spec could be scheduled. */
export function roomOf(database: CoreDatabase, reader: CacheReader): RoomSeen {
  const { spec } = database;
  const { nodes, crowded } = offeredTo(database, spec, reader);
  const place = placeText(placementOf(placedOf(database, spec, reader)));
  if (nodes === 'none')
    return { is: 'tooLittle', why: `there is no ready node in ${place} to run this ${spec.engine} database` };
  if (nodes === 'reserved') return { is: 'tooLittle', why: `every node in ${place} is reserved for other work` };
  if (crowded === null) return { is: 'enough' };
  const { cpu, memory, free } = crowded;
  return {
    is: 'tooLittle',
    why: `this ${spec.engine} database needs about ${cpu} CPU and ${memory} memory. The cluster currently has ${free} available`,
  };
}

import { Effect } from 'effect';
import type { CoreDatabase, DatabaseSpec } from '../../../crds/coreDatabase.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { resourcesOf } from '../../../rules/database/effective.ts';
import { selectorLabels } from '../../../rules/database/labels.ts';
import { placementOf } from '../../../rules/database/nodePlacement.ts';
import { instancesNeeded } from '../../../rules/database/wanted.ts';
import type { RoomSeen } from '../../../rules/draftDeploy/facts.ts';
import { type Fact, known, unknown } from '../../../rules/fact.ts';
import { noNode, tooLittle } from '../../../rules/database/roomWords.ts';
import { placeText } from '../../../rules/placement.ts';
import { fullRefusal, reservedMessage } from '../../../rules/capacityMessages.ts';
import { cpuText, memoryText, needOf, nothing, type PlacedPod, plus, type Room, roomFor } from '../../../rules/room.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { pods } from '../../resources.ts';
import { Cluster, type ListOptions, type Resource } from '../../services/cluster.ts';
import { why } from '../../services/why.ts';
import { clusterNodes, type Offered } from '../room.ts';
import { placedOf } from './spec.ts';
import { wantedOf } from './wanted.ts';

const pageSize = 500;

/** All objects of a resource, page by page. */
const every = Effect.fnUntraced(function* <O extends KubeObject>(resource: Resource<O>, options: ListOptions) {
  const cluster = yield* Cluster;
  const found: O[] = [];
  let page = yield* cluster.list(resource, { ...options, limit: pageSize });
  for (;;) {
    found.push(...page.items);
    if (page.continue === undefined || page.continue === '') return found;
    page = yield* cluster.list(resource, { ...options, limit: pageSize, continue: page.continue });
  }
});

const sum = (rooms: readonly Room[]): Room => rooms.reduce(plus, nothing);
const textOf = ({ cpu, memory }: Room) => ({ cpu: cpuText(cpu), memory: memoryText(memory) });

/** What the cluster offers the instances of a database, by direct reads; what the database itself holds is free. */
export const offeredTo = Effect.fnUntraced(function* (database: CoreDatabase, spec: DatabaseSpec, reader: CacheReader) {
  const copies = instancesNeeded(wantedOf(database, spec));
  if (copies === 0) return { nodes: 'fit', crowded: null } satisfies Offered;
  const labels = Object.entries(selectorLabels(database));
  const isOwn = ({ metadata }: PlacedPod) => labels.every(([key, value]) => metadata.labels?.[key] === value);
  const nodes = yield* every(clusterNodes, {});
  const all: readonly PlacedPod[] = yield* every(pods as Resource<PlacedPod>, { namespace: 'all' });
  const need = needOf(resourcesOf(spec));
  const room = roomFor(
    { need, copies, apart: spec.highAvailability, placement: placementOf(placedOf(database, spec, reader)) },
    { nodes, pods: all.filter((pod) => !isOwn(pod)) },
  );
  if (room.nodes !== 'fit' || room.copies === copies) return { nodes: room.nodes, crowded: null } satisfies Offered;
  const free = textOf(sum(room.free.slice(0, copies)));
  const crowded = {
    ...textOf(sum(Array.from({ length: copies }, () => need))),
    free: `${free.cpu} CPU and ${free.memory} memory`,
  };
  return { nodes: 'fit', crowded } satisfies Offered;
});

/** Whether a deploy of the current spec could be scheduled. */
export const roomOf = (database: CoreDatabase, reader: CacheReader): Effect.Effect<Fact<RoomSeen>, never, Cluster> =>
  offeredTo(database, database.spec, reader).pipe(
    Effect.map(({ nodes, crowded }) => known(judged(database, reader, { nodes, crowded }))),
    Effect.catch((error) => Effect.succeed(unknown(why(error)))),
  );

function judged(database: CoreDatabase, reader: CacheReader, { nodes, crowded }: Offered): RoomSeen {
  const { engine } = database.spec;
  const place = placeText(placementOf(placedOf(database, database.spec, reader)));
  if (nodes === 'none') return { is: 'tooLittle', why: noNode(place, engine).text };
  if (nodes === 'reserved') return { is: 'tooLittle', why: reservedMessage(place).text };
  if (nodes === 'full') return { is: 'tooLittle', why: fullRefusal(place) };
  return crowded === null ? { is: 'enough' } : { is: 'tooLittle', why: tooLittle(engine, crowded).text };
}

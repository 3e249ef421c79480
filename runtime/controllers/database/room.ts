import type { CoreDatabase, DatabaseSpec } from '../../../crds/coreDatabase.ts';
import { resourcesOf } from '../../../rules/database/effective.ts';
import { selectorLabels } from '../../../rules/database/labels.ts';
import { placementOf } from '../../../rules/database/nodePlacement.ts';
import { instancesNeeded } from '../../../rules/database/wanted.ts';
import type { RoomSeen } from '../../../rules/draftDeploy/facts.ts';
import { placeText } from '../../../rules/placement.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { type Offered, offeredTo } from '../room.ts';
import { placedOf } from './spec.ts';
import { wantedOf } from './wanted.ts';

/** What the cluster offers the instances of a database, without the database's own pods. */
export const offeredToDatabase = (database: CoreDatabase, spec: DatabaseSpec, reader: CacheReader): Offered =>
  offeredTo(
    {
      resources: resourcesOf(spec),
      copies: instancesNeeded(wantedOf(spec, '')),
      placement: placementOf(placedOf(database, spec, reader)),
      own: selectorLabels(database),
    },
    reader,
  );

/** Whether a deploy of the current spec could be scheduled. */
export function roomOf(database: CoreDatabase, reader: CacheReader): RoomSeen {
  const { spec } = database;
  const { nodes, crowded } = offeredToDatabase(database, spec, reader);
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

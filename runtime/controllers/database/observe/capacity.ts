import type { CoreDatabase, DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { resourcesOf } from '../../../../rules/database/effective.ts';
import { placementOf } from '../../../../rules/database/nodePlacement.ts';
import { instancesNeeded } from '../../../../rules/database/wanted.ts';
import type { CapacitySeen } from '../../../../rules/draftDeploy/facts.ts';
import { type Fact, known } from '../../../../rules/fact.ts';
import { noNode, tooLittle } from '../../../../rules/database/capacityMessages.ts';
import { placeText } from '../../../../rules/placement.ts';
import { fullRefusal, reservedMessage } from '../../../../rules/capacityMessages.ts';
import {
  cpuText,
  memoryText,
  needOf,
  nothing,
  type AvailableCapacity,
  plus,
  type CpuAndMemory,
} from '../../../../rules/capacity.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { ownedBy } from '../../../owned/kinds.ts';
import { everywhere, capacityAmong, workloadPods } from '../../capacity.ts';
import { placedOf } from './settled.ts';
import { wantedOf } from '../owned/wanted.ts';

const sum = (rooms: readonly CpuAndMemory[]): CpuAndMemory => rooms.reduce(plus, nothing);
const textOf = ({ cpu, memory }: CpuAndMemory) => ({ cpu: cpuText(cpu), memory: memoryText(memory) });

/** The capacity for the instances of a database; what the database itself takes counts as free. */
export function databaseCapacity(database: CoreDatabase, spec: DatabaseSpec, reader: CacheReader): AvailableCapacity {
  const copies = instancesNeeded(wantedOf(database, spec));
  if (copies === 0) return everywhere;
  const need = needOf(resourcesOf(spec));
  const placement = placementOf(placedOf(database, spec, reader));
  const own = reader.indexed(workloadPods, ...ownedBy('CoreDatabase', database.metadata.name));
  const capacity = capacityAmong({ need, copies, apart: spec.highAvailability, placement, own }, reader);
  if (capacity.nodes !== 'fit' || capacity.copies === copies) return { nodes: capacity.nodes, crowded: null };
  const free = textOf(sum(capacity.free.slice(0, copies)));
  const insufficient = {
    ...textOf(sum(Array.from({ length: copies }, () => need))),
    free: `${free.cpu} CPU and ${free.memory} memory`,
  };
  return { nodes: 'fit', crowded: insufficient };
}

/** Whether a deploy of the current spec could be scheduled. */
export function deployCapacity(database: CoreDatabase, reader: CacheReader): Fact<CapacitySeen> {
  const { engine } = database.spec;
  const place = placeText(placementOf(placedOf(database, database.spec, reader)));
  const { nodes, crowded } = databaseCapacity(database, database.spec, reader);
  const tooLittleAs = (why: string) => known({ is: 'tooLittle', why } as const);
  if (nodes === 'none') return tooLittleAs(noNode(place, engine).text);
  if (nodes === 'reserved') return tooLittleAs(reservedMessage(place).text);
  if (nodes === 'full') return tooLittleAs(fullRefusal(place));
  return crowded === null ? known({ is: 'enough' }) : tooLittleAs(tooLittle(engine, crowded).text);
}

import type { CoreDeployment } from '../../crds/coreDeployment.ts';
import { annotation } from '../../crds/names.ts';
import { createdAtMs, msOf } from '../time.ts';
import { deploymentRecordLimits } from './events.ts';

/** When the deploy of a record was; for one of an older release, when the record was created. */
function deployedAtMs(record: CoreDeployment): number {
  const at = record.metadata.annotations?.[annotation.deployedAt] ?? record.status?.startedAt ?? '';
  return msOf(at) || createdAtMs(record);
}

/** Newest first; at the same time, the later name counts as newer. */
const newestRecordFirst = (one: CoreDeployment, other: CoreDeployment): number =>
  deployedAtMs(other) - deployedAtMs(one) || (one.metadata.name < other.metadata.name ? 1 : -1);

/** How many of the records of one service are newer than this one. */
export const newerRecords = (record: CoreDeployment, records: readonly CoreDeployment[]): number =>
  records.filter((one) => one.metadata.name !== record.metadata.name && newestRecordFirst(one, record) < 0).length;

/** The records of one service beyond the newest that are kept, oldest first. */
export const outlivedRecords = (
  records: readonly CoreDeployment[],
  kept: number = deploymentRecordLimits.keptRecords,
): readonly CoreDeployment[] => records.toSorted(newestRecordFirst).slice(kept).toReversed();

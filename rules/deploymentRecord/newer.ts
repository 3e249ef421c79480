import type { DeploymentRecordFacts, RecordSeen } from './facts.ts';

const isNewer = (record: RecordSeen, own: RecordSeen) =>
  record.at > own.at || (record.at === own.at && record.name > own.name);

/** How many records of the same service are newer than this one; records without the label do not count. */
export function newerRecords({ app, name, records }: Pick<DeploymentRecordFacts, 'app' | 'name' | 'records'>): number {
  const own = records.find((record) => record.name === name);
  if (!own) return 0;
  return records.filter((record) => record.appLabel === app && isNewer(record, own)).length;
}

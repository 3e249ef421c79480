import type { CoreDatabase } from '../../crds/coreDatabase.ts';
import { hasVolume, ranAs, storageSizeOf } from './effective.ts';
import { lastingRefusal } from './lasting.ts';
import { nodePlacementOf } from './nodePlacement.ts';
import { quantityOf } from '../owned/quantity.ts';

const differs = (one: unknown, other: unknown) => JSON.stringify(one ?? null) !== JSON.stringify(other ?? null);
const tagsOf = ({ spec }: CoreDatabase) => (spec.runOn?.tags ?? []).toSorted();

/** Why the API refuses to save a change of a database that was provisioned; null where it may be saved. */
export function refusalOfChange(before: CoreDatabase, after: CoreDatabase, canGrow: boolean): string | null {
  const ran = before.status?.running ?? null;
  if (nodePlacementOf(before) !== null && differs(tagsOf(before), tagsOf(after)))
    return 'A database keeps its data on the nodes it was first deployed to, so which nodes it runs on cannot change after that';
  if ((before.status?.connectionSecret ?? '') !== '' && differs(before.spec.clusterSize, after.spec.clusterSize))
    return 'clusterSize is read only when the database is created, so it cannot change after that';
  const lasting = lastingRefusal(ranAs(after, after.spec), ran);
  if (lasting !== null) return lasting.text;
  const isResized =
    ran !== null && hasVolume(after.spec) && quantityOf(storageSizeOf(after.spec)) !== quantityOf(ran.storageSize);
  return isResized && !canGrow
    ? `this cluster's storage can't be resized, so a deployed database stays at ${ran.storageSize}`
    : null;
}

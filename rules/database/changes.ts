import type { CoreDatabase } from '../../crds/coreDatabase.ts';
import { ranAs } from './effective.ts';
import { growthRefused, lastingRefusal } from './lasting.ts';
import { nodePlacementOf } from './nodePlacement.ts';

const differs = (one: unknown, other: unknown) => JSON.stringify(one ?? null) !== JSON.stringify(other ?? null);
const tagsOf = ({ spec }: CoreDatabase) => (spec.runOn?.tags ?? []).toSorted();

/** Why the API refuses to save a change of a database that was provisioned; null when it may be saved. */
export function refusalOfChange(before: CoreDatabase, after: CoreDatabase, canGrow: boolean): string | null {
  const ran = before.status?.running ?? null;
  if (nodePlacementOf(before) !== null && differs(tagsOf(before), tagsOf(after)))
    return 'A database keeps its data on the nodes it was first deployed to, so which nodes it runs on cannot change after that';
  if ((before.status?.connectionSecret ?? '') !== '' && differs(before.spec.clusterSize, after.spec.clusterSize))
    return 'clusterSize is read only when the database is created, so it cannot change after that';
  const wanted = ranAs(after, after.spec);
  const lasting = lastingRefusal(wanted, ran);
  if (lasting !== null) return lasting.text;
  return ran !== null && !canGrow && growthRefused.when(wanted, ran) ? growthRefused.message(ran).text : null;
}

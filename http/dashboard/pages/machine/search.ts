import type { Instance } from '../../../api.ts';
import type { Filter } from '../../model/filter.ts';
import { filteredInstance, shownBy } from '../../model/filtered.ts';
import { now } from '../../store/clock.ts';
import { instancesOf } from '../../store/fleet.ts';
import { type LongList, useLongList } from '../../store/longList.ts';
import { useSettled } from '../../store/useSettled.ts';

type Query = Readonly<Record<string, string>>;
const nothing = '{}';

/** What is asked of the server for a filter; empty where nothing is left out. */
function queryOf({ states, retrying, stuckSeconds, text }: Filter): Query {
  return {
    ...(states.length > 0 ? { state: states.join(',') } : {}),
    ...(retrying ? { retrying: 'true' } : {}),
    ...(stuckSeconds === null ? {} : { stuck: String(stuckSeconds) }),
    ...(text.trim() === '' ? {} : { q: text.trim() }),
  };
}

/** The instances that the server finds for a filter, if a machine is given; asked once nobody types. */
export function useInstanceSearch(
  machine: string | null,
  filter: Filter,
  resting: ReadonlySet<string>,
): LongList<Instance> {
  const asked = JSON.stringify(queryOf(filter));
  const settled = useSettled(asked);
  const isIn = (instance: Instance) => shownBy(filter, { now: now.peek(), resting })(filteredInstance(instance));
  const isAsked = machine !== null && asked !== nothing && settled !== nothing;
  const query = JSON.parse(settled) as Query;
  return useLongList(isAsked ? instancesOf(machine, query, isIn) : null);
}

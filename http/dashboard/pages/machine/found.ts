import type { Instance } from '../../../api.ts';
import type { Filter } from '../../model/filter.ts';
import { filteredInstance, shownBy } from '../../model/filtered.ts';
import { now } from '../../store/clock.ts';
import { instancesOf } from '../../store/fleet.ts';
import { type LongList, useLongList } from '../../store/longList.ts';
import { useSettled } from '../../store/useSettled.ts';

/** What is asked of the server for a filter; empty where nothing is left out. */
function queryOf({ states, retrying, stuckSeconds, text }: Filter): string {
  const query = new URLSearchParams();
  if (states.length > 0) query.set('state', states.join(','));
  if (retrying) query.set('retrying', 'true');
  if (stuckSeconds !== null) query.set('stuck', String(stuckSeconds));
  if (text.trim() !== '') query.set('q', text.trim());
  const asked = query.toString();
  return asked === '' ? '' : `?${asked}`;
}

/** The instances that the server finds for a filter, if a machine is given; asked once nobody types. */
export function useFoundInstances(
  machine: string | null,
  filter: Filter,
  resting: ReadonlySet<string>,
): LongList<Instance> {
  const query = queryOf(filter);
  const settled = useSettled(query);
  const isIn = (instance: Instance) => shownBy(filter, { now: now.peek(), resting })(filteredInstance(instance));
  const isAsked = machine !== null && query !== '' && settled !== '';
  return useLongList(isAsked ? instancesOf(machine, settled, isIn) : null);
}

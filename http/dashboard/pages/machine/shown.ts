import { useMemo } from 'preact/hooks';
import type { Instance, Machine } from '../../../api.ts';
import { byName, type Filter, isInServerOrder, isNarrowed, writeFilter } from '../../model/filter.ts';
import { compareInstances, filteredInstance, shownBy } from '../../model/filtered.ts';
import { now } from '../../store/clock.ts';
import { fleetOf, instancesOf } from '../../store/fleet.ts';
import { type LongList, type Source, useLongList, useSource } from '../../store/longList.ts';
import { isWhole, rowsAtHand } from '../../store/pages.ts';
import { useInstanceSearch } from './search.ts';

/** What the page of a machine shows of its instances. */
export interface ShownInstances {
  readonly list: LongList<Instance>;
  readonly source: Source<Instance>;
  readonly shown: readonly Instance[];
  /** Whether all instances of the machine are read. */
  readonly hasAll: boolean;
  /** Whether the list is in the order of the server, unless another is asked for. */
  readonly isLong: boolean;
  /** The order that they are in. */
  readonly order: Pick<Filter, 'sort' | 'reversed'>;
}

/** The instances of a machine that match a filter, in its order once all of them are read. */
export function useShownInstances({ name, states }: Machine, filter: Filter): ShownInstances {
  fleetOf(name);
  const list = useLongList(instancesOf(name));
  const hasAll = list.value !== null && isWhole(list.value);
  const resting = useMemo(() => new Set(states.filter((one) => one.resting).map((one) => one.name)), [states]);
  const matches = useInstanceSearch(hasAll ? null : name, filter, resting);
  const source = useSource(list, matches, { needsAll: !isInServerOrder(filter), isNarrowed: isNarrowed(filter) });
  const { items, hasMore } = source;
  const isLong = !hasAll || items.length > rowsAtHand;
  const isAsGiven = hasMore || (isLong && isInServerOrder(filter));
  const at = filter.stuckSeconds === null ? 0 : now.value;
  const shown = useMemo(() => {
    const isShown = shownBy(filter, { now: at, resting });
    const rows = items.filter((instance) => isShown(filteredInstance(instance)));
    return isAsGiven ? rows : rows.toSorted(compareInstances(filter));
  }, [writeFilter(filter), resting, items, isAsGiven, at]);
  return { list, source, shown, hasAll, isLong, order: isAsGiven ? byName : filter };
}

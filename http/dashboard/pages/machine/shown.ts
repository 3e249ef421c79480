import { useMemo } from 'preact/hooks';
import type { Instance, Machine } from '../../../api.ts';
import { type Filter, isNarrowed, writeFilter } from '../../filter.ts';
import { compareInstances, filteredInstance, shownBy } from '../../filtered.ts';
import { now } from '../../store/clock.ts';
import { fleetOf, instancesOf } from '../../store/fleet.ts';
import { type LongList, type Source, useLongList, useSource } from '../../store/longList.ts';
import { isWhole } from '../../store/pages.ts';
import { isInServerOrder, useFoundInstances } from './found.ts';

/** What the page of a machine shows of its instances. */
export interface ShownInstances {
  readonly list: LongList<Instance>;
  readonly source: Source<Instance>;
  readonly shown: readonly Instance[];
  /** Whether all instances of the machine are read. */
  readonly hasAll: boolean;
}

/** The instances of a machine that match a filter, in its order once all of them are read. */
export function useShownInstances({ name, states }: Machine, filter: Filter): ShownInstances {
  fleetOf(name);
  const list = useLongList(instancesOf(name));
  const hasAll = list.value !== null && isWhole(list.value);
  const resting = useMemo(() => new Set(states.filter((one) => one.resting).map((one) => one.name)), [states]);
  const found = useFoundInstances(hasAll ? null : name, filter, resting);
  const source = useSource(list, found, { needsAll: !isInServerOrder(filter), isNarrowed: isNarrowed(filter) });
  const { items, hasMore } = source;
  const at = filter.stuckSeconds === null ? 0 : now.value;
  const shown = useMemo(() => {
    const isShown = shownBy(filter, { now: at, resting });
    const rows = items.filter((instance) => isShown(filteredInstance(instance)));
    return hasMore ? rows : rows.toSorted(compareInstances(filter));
  }, [writeFilter(filter), resting, items, hasMore, at]);
  return { list, source, shown, hasAll };
}

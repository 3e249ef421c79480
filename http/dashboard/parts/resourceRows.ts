import { useMemo } from 'preact/hooks';
import type { Summary } from '../../api.ts';
import { byName, type Filter, isInServerOrder, isNarrowed } from '../filter.ts';
import { useFound } from '../kinds/found.ts';
import { now } from '../store/clock.ts';
import { fleetOf } from '../store/fleet.ts';
import type { ListOf } from '../store/list.ts';
import { type LongList, type Source, useSource } from '../store/longList.ts';
import { useTotal } from '../store/machines.ts';
import { isWhole, rowsAtHand } from '../store/pages.ts';
import {
  isLeftToPage,
  machineOfKind,
  orderedResources,
  type ResourceRow,
  resourceRows,
  shownResources,
} from '../words/resourceFilter.ts';

interface Given {
  readonly list: LongList<Summary>;
  readonly of: ListOf | null;
  readonly kinds: readonly string[];
  readonly filter: Filter;
  readonly projectWord: (name: string) => string;
}

interface Rows {
  readonly source: Source<Summary>;
  readonly shown: readonly ResourceRow[];
  /** The rows of the list that are read, and whether these are all. */
  readonly all: readonly Summary[];
  readonly hasAll: boolean;
  /** Whether the list is in the order of the server, unless another is asked for. */
  readonly isLong: boolean;
  /** The order that they are in. */
  readonly order: Pick<Filter, 'sort' | 'reversed'>;
  /** The rows of the list; null where nobody counts them before all are read. */
  readonly total: number | null;
}

const none: readonly Summary[] = [];

/** The rows of a list of resources that match a filter, in its order once all of them are read. */
export function useResourceRows({ list, of, kinds, filter, projectWord }: Given): Rows {
  const all = list.value?.items ?? none;
  const hasAll = isRead(list);
  const needsAll = isLeftToPage(filter);
  const found = useFound(hasAll ? null : of, filter);
  const source = useSource(list, found, { needsAll, isNarrowed: isNarrowed(filter) });
  const { items, hasMore, isFound } = source;
  const rows = useMade(items, { kinds, projectWord, instances: isFound || needsAll ? Infinity : all.length });
  const isLong = !hasAll || all.length > rowsAtHand;
  const isAsGiven = hasMore || (isLong && isInServerOrder(filter));
  const order = isAsGiven ? byName : filter;
  const ordered = useOrdered(rows, order, isAsGiven && (hasMore || of !== null));
  const shown = shownResources(ordered, filter, filter.stuckSeconds === null ? 0 : now.value);
  const counted = useTotal(hasAll ? null : machineOf(of));
  return { source, shown, all, hasAll, isLong, order, total: hasAll ? all.length : counted };
}

const isRead = ({ value }: LongList<Summary>): boolean => value !== null && isWhole(value);

const machineOf = (of: ListOf | null): string | null => (of && machineOfKind[of.kind]) ?? null;

interface Made extends Pick<Given, 'kinds' | 'projectWord'> {
  /** How many instances are wanted of each kind. */
  readonly instances: number;
}

/** Thousands of rows are made once, not with each key in the filter. */
function useMade(items: readonly Summary[], { kinds, projectWord, instances }: Made): readonly ResourceRow[] {
  const fleets = kinds.map((kind) => fleetOf(machineOfKind[kind] ?? '', instances).instances.value);
  return useMemo(
    () =>
      resourceRows(
        items,
        fleets.flatMap((fleet) => [...fleet.values()]),
        projectWord,
      ),
    [items, projectWord, ...fleets],
  );
}

/** Rows in an order, where they are not in it as they are; several lists in one are in none until all are read. */
const useOrdered = (
  rows: readonly ResourceRow[],
  { sort, reversed }: Rows['order'],
  isOrdered: boolean,
): readonly ResourceRow[] =>
  useMemo(() => (isOrdered ? rows : orderedResources(rows, { sort, reversed })), [rows, isOrdered, sort, reversed]);

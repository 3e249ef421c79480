import { useMemo } from 'preact/hooks';
import type { Instance, KindCounts, Summary } from '../../api.ts';
import { byName, type Filter, isInServerOrder, isNarrowed } from '../model/filter.ts';
import { useSearch } from '../kindPages/search.ts';
import { now } from '../store/clock.ts';
import type { Place } from '../routes.ts';
import { useKindCounts } from '../store/counts.ts';
import { instancesOf } from '../store/fleet.ts';
import type { ListOf } from '../store/list.ts';
import { type LongList, type Source, useSource } from '../store/longList.ts';
import { isWhole, rowsAtHand } from '../store/pages.ts';
import { byState } from '../model/stateCounts.ts';
import { type PagesOf, usePages } from '../store/usePages.ts';
import {
  isLeftToPage,
  machineOfKind,
  orderedResources,
  type ResourceRow,
  resourceRows,
  shownResources,
} from '../model/resourceFilter.ts';

interface RowsInput {
  readonly list: LongList<Summary>;
  readonly of: readonly ListOf[];
  readonly place: Place | null;
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
  /** How many rows of the list are in each state; null until that is known. */
  readonly counts: States | null;
}

type States = KindCounts['states'];

const none: readonly Summary[] = [];

/** The rows of a list of resources that match a filter, in its order once all of them are read. */
export function useResourceRows({ list, of, place, filter, projectWord }: RowsInput): Rows {
  const all = list.value?.items ?? none;
  const hasAll = isRead(list);
  const needsAll = isLeftToPage(filter);
  const matches = useSearch(of, filter, !hasAll);
  const source = useSource(list, matches, { needsAll, isNarrowed: isNarrowed(filter) });
  const { items, hasMore, isFound } = source;
  const instances = useInstances(of, place, isFound || needsAll ? Infinity : all.length);
  const rows = useMade(items, instances, projectWord);
  const isLong = !hasAll || all.length > rowsAtHand;
  const isAsGiven = hasMore || (isLong && isInServerOrder(filter));
  const order = isAsGiven ? byName : filter;
  const ordered = useOrdered(rows, order, isAsGiven && (hasMore || of.length === 1));
  const shown = shownResources(ordered, filter, filter.stuckSeconds === null ? 0 : now.value);
  const counts = useCounts(of, place, hasAll ? all : null);
  return { source, shown, all, hasAll, isLong, order, counts };
}

const isRead = ({ value }: LongList<Summary>): boolean => value !== null && isWhole(value);

/** How many rows are in each state: of those that are read where these are all, otherwise as the server counts. */
function useCounts(of: readonly ListOf[], place: Place | null, all: readonly Summary[] | null): States | null {
  const counted = useKindCounts(all ? null : { ...place }).value?.items ?? null;
  return useMemo(() => {
    const kinds = of.map(({ kind }) => kind);
    if (all) return byState(all);
    return counted && summed(counted.filter(({ kind }) => kinds.includes(kind)).map(({ states }) => states));
  }, [all, counted]);
}

function summed(several: readonly States[]): States {
  const counts: Record<string, number> = {};
  for (const states of several)
    for (const [state, count] of Object.entries(states)) counts[state] = (counts[state] ?? 0) + count;
  return counts;
}

const noInstances: readonly Instance[] = [];

/** The instances of the resources of some lists, always as many, at least so many of each. */
function useInstances(of: readonly ListOf[], place: Place | null, wanted: number): readonly Instance[] {
  const lists = of.map(({ kind }) => usePages(instancesIn(kind, place), wanted).value?.items ?? noInstances);
  return useMemo(() => lists.flat(), lists);
}

/** The instances of the resources of a kind, in a place where one is given; those of all are kept for other pages. */
function instancesIn(kind: string, place: Place | null): PagesOf<Instance> {
  const machine = machineOfKind[kind] ?? '';
  if (place === null) return instancesOf(machine);
  const { project, environment } = place;
  return instancesOf(
    machine,
    { project, environment },
    (one) => one.project === project && one.environment === environment,
  );
}

/** Thousands of rows are made once, not with each key in the filter. */
const useMade = (
  items: readonly Summary[],
  instances: readonly Instance[],
  projectWord: (name: string) => string,
): readonly ResourceRow[] =>
  useMemo(() => resourceRows(items, instances, projectWord), [items, projectWord, instances]);

/** Rows in an order, where they are not in it as they are; several lists in one are in none until all are read. */
const useOrdered = (
  rows: readonly ResourceRow[],
  { sort, reversed }: Rows['order'],
  isOrdered: boolean,
): readonly ResourceRow[] =>
  useMemo(() => (isOrdered ? rows : orderedResources(rows, { sort, reversed })), [rows, isOrdered, sort, reversed]);

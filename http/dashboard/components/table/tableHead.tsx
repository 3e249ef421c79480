import type { SortKey } from '../../model/filter.ts';
import type { Column, Sorting } from './column.ts';

interface TableHeadProps<T> {
  readonly columns: readonly Column<T>[];
  readonly sorting: Sorting;
  /** The address holds the order, so the page changes it. */
  readonly onSort: (sorting: Sorting) => void;
}

/** The heads of a table; those that sort are buttons. */
export const TableHead = <T,>({ columns, sorting, onSort }: TableHeadProps<T>) => (
  <div class="grid-head" role="row" aria-rowindex={1}>
    {columns.map(({ label, sort, yields }) =>
      sort === undefined ? (
        <span key={label} role="columnheader" data-yields={yields}>
          {label}
        </span>
      ) : (
        <SortHead key={label} label={label} sort={sort} yields={yields} sorting={sorting} onSort={onSort} />
      ),
    )}
  </div>
);

interface SortHeadProps {
  readonly label: string;
  readonly sort: SortKey;
  readonly yields: Column<unknown>['yields'];
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
}

/** Times are sorted newest first, so their first order falls. */
function SortHead({ label, sort, yields, sorting, onSort }: SortHeadProps) {
  const isSorted = sorting.sort === sort;
  const falls = isSorted && sorting.reversed !== (sort === 'since');
  return (
    <span role="columnheader" data-yields={yields} aria-sort={isSorted ? (falls ? 'descending' : 'ascending') : 'none'}>
      <button type="button" onClick={() => onSort({ sort, reversed: isSorted && !sorting.reversed })}>
        {label}
        {isSorted && (falls ? ' ↓' : ' ↑')}
      </button>
    </span>
  );
}

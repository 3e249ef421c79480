import type { ComponentChildren } from 'preact';
import type { TableColumn } from './tableColumn.ts';

/** What every row of a table is rendered by. */
export interface RowParts<T> {
  readonly columns: readonly TableColumn<T>[];
  /** The id of a row, by which an address leads to it; the row of the address is marked. */
  readonly idOf?: (row: T) => string;
  readonly isAimed?: (row: T) => boolean;
  /** What stands below a row, over all columns. */
  readonly detailOf?: (row: T) => ComponentChildren;
}

interface TableRowProps<T> extends RowParts<T> {
  readonly row: T;
  /** Its `aria-rowindex`, where the table does not render all rows. */
  readonly rowIndex?: number;
}

/** A row of a table, with its detail where it has one. */
export const TableRow = <T,>({ row, rowIndex, columns, idOf, isAimed, detailOf }: TableRowProps<T>) => (
  <>
    <tr id={idOf?.(row)} class={isAimed?.(row) === true ? 'aimed' : undefined} aria-rowindex={rowIndex}>
      {columns.map((column) => (
        <Cell key={column.label} column={column} row={row} />
      ))}
    </tr>
    {detailOf && (
      <tr class="row-detail" aria-rowindex={rowIndex === undefined ? undefined : rowIndex + 1}>
        <td colSpan={columns.length}>{detailOf(row)}</td>
      </tr>
    )}
  </>
);

function Cell<T>({ column, row }: { readonly column: TableColumn<T>; readonly row: T }) {
  const { label, cell, look, isRowHeading = false, isNamed = false } = column;
  if (isRowHeading)
    return (
      <th scope="row" class={look}>
        {cell(row)}
      </th>
    );
  return (
    <td class={look} data-name={isNamed ? label : undefined}>
      {cell(row)}
    </td>
  );
}

import type { ComponentChildren } from 'preact';
import { Fragment } from 'preact';
import { Card } from '../card.tsx';
import { ScrollBox } from '../scrollBox.tsx';
import type { TableColumn } from './tableColumn.ts';

interface TableProps<T> {
  readonly columns: readonly TableColumn<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string | number;
  /** The accessible name of the box that scrolls; of the table where nothing scrolls. */
  readonly label?: string;
  readonly look?: 'stacked' | 'locked' | 'machines';
  /** Whether it is a card by itself. */
  readonly isCard?: boolean;
  /** Whether it stands in a box that scrolls sideways. */
  readonly scrolls?: boolean;
  /** The id of a row, by which an address leads to it; the row of the address is marked. */
  readonly idOf?: (row: T) => string;
  readonly isAimed?: (row: T) => boolean;
  /** What stands below a row, over all columns. */
  readonly detailOf?: (row: T) => ComponentChildren;
}

/** A table with one row for each item. */
export function Table<T>({ label, isCard = false, scrolls = true, ...table }: TableProps<T>) {
  if (!scrolls) return <Rows {...table} {...(label === undefined ? {} : { label })} />;
  const box = (
    <ScrollBox {...(label === undefined ? {} : { label })}>
      <Rows {...table} />
    </ScrollBox>
  );
  return isCard ? <Card>{box}</Card> : box;
}

type RowsProps<T> = Omit<TableProps<T>, 'isCard' | 'scrolls'>;

const Rows = <T,>({ columns, rows, keyOf, label, look, idOf, isAimed, detailOf }: RowsProps<T>) => (
  <table class={look} aria-label={label}>
    <thead>
      <tr>
        {columns.map((column) => (
          <th scope="col" key={column.label}>
            {column.isLabelHidden === true ? <span class="unseen">{column.label}</span> : column.label}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <Fragment key={keyOf(row)}>
          <tr id={idOf?.(row)} class={isAimed?.(row) === true ? 'aimed' : undefined}>
            {columns.map((column) => (
              <Cell key={column.label} column={column} row={row} />
            ))}
          </tr>
          {detailOf && (
            <tr class="row-detail">
              <td colSpan={columns.length}>{detailOf(row)}</td>
            </tr>
          )}
        </Fragment>
      ))}
    </tbody>
  </table>
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

import { Card } from '../card.tsx';
import { ScrollBox } from '../scrollBox.tsx';
import { lazyIn } from '../lazy.tsx';
import type { LongRowsProps } from './longRows.tsx';
import { type RowParts, TableRow } from './tableRow.tsx';

interface TableProps<T> extends RowParts<T> {
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string | number;
  /** The accessible name of the box that scrolls; of the table where nothing scrolls. */
  readonly label?: string;
  readonly look?: 'stacked' | 'locked' | 'machines';
  /** Whether it is a card by itself. */
  readonly isCard?: boolean;
  /** Whether it stands in a box that scrolls sideways. */
  readonly scrolls?: boolean;
}

/** The most rows that a table renders whether they are visible or not. */
const maxRenderedRows = 200;

/** Loaded by a long table only: most tables are short. */
const LongRows = lazyIn<LongRowsProps>(
  ({ children }) => (
    <tbody>
      <tr>
        <td>{children}</td>
      </tr>
    </tbody>
  ),
  async () => (await import('./longRows.tsx')).LongRows,
);

/** A table with one row for each item; a long one renders only the visible rows. */
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

function Rows<T>({ rows, keyOf, label, look, ...parts }: RowsProps<T>) {
  const isLong = rows.length > maxRenderedRows;
  const linesPerRow = parts.detailOf === undefined ? 1 : 2;
  return (
    <table class={look} aria-label={label} aria-rowcount={isLong ? 1 + rows.length * linesPerRow : undefined}>
      <thead>
        <tr aria-rowindex={isLong ? 1 : undefined}>
          {parts.columns.map((column) => (
            <th scope="col" key={column.label}>
              {column.isLabelHidden === true ? <span class="unseen">{column.label}</span> : column.label}
            </th>
          ))}
        </tr>
      </thead>
      {isLong ? (
        <LongRows
          keys={rows.map(keyOf)}
          linesPerRow={linesPerRow}
          aimed={parts.isAimed === undefined ? -1 : rows.findIndex(parts.isAimed)}
          rowAt={(place, rowIndex) =>
            rows.slice(place, place + 1).map((row) => <TableRow key={place} row={row} rowIndex={rowIndex} {...parts} />)
          }
        />
      ) : (
        <tbody>
          {rows.map((row) => (
            <TableRow key={keyOf(row)} row={row} {...parts} />
          ))}
        </tbody>
      )}
    </table>
  );
}

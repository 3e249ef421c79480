import type { ComponentChildren } from 'preact';

/** One column of a table: its heading, and the cell of each row. */
export interface TableColumn<T> {
  readonly label: string;
  readonly cell: (row: T) => ComponentChildren;
  /** The classes of its cells. */
  readonly look?: string;
  /** Whether its cells name their rows. */
  readonly isRowHeading?: boolean;
  /** Whether its label stands in each cell where a row is shown as a block. */
  readonly isNamed?: boolean;
  /** Whether its label is read by screen readers only. */
  readonly isLabelHidden?: boolean;
}

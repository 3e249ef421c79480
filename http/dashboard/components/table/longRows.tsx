import type { ComponentChildren } from 'preact';
import { Fragment } from 'preact';
import { useRef } from 'preact/hooks';
import { rowIndexes } from './rowIndexes.ts';
import { useRowSlots } from './useRowSlots.ts';

/** What the body of a long table is made of. */
export interface LongRowsProps {
  readonly keys: readonly (string | number)[];
  readonly linesPerRow: number;
  /** The place of the row that an address leads to, which is always rendered; -1 for none. */
  readonly aimed: number;
  /** The lines of the row at a place, the first of them with this `aria-rowindex`. */
  readonly rowAt: (place: number, rowIndex: number) => ComponentChildren;
}

/** The body of a long table: its visible rows, and empty space in place of the others. */
export function LongRows({ keys, linesPerRow, aimed, rowAt }: LongRowsProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const { indexOf, placeOf } = rowIndexes(linesPerRow);
  const slots = useRowSlots(body, { keys, placeOf, aimed });
  return (
    <tbody ref={body}>
      {slots.map((slot) =>
        'space' in slot ? (
          <Space key={`from ${slot.from}`} height={slot.space} />
        ) : (
          <Fragment key={keys[slot.index]}>{rowAt(slot.index, indexOf(slot.index))}</Fragment>
        ),
      )}
    </tbody>
  );
}

const Space = ({ height }: { readonly height: number }) => (
  <tr aria-hidden="true" style={{ height: `${height}px`, padding: 0, border: 0 }} />
);

import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { firstEstimate, rowHeights } from './rowHeights.ts';
import { renderedRows, type RowSlot, rowSlots } from './rowSlots.ts';
import { useVisibleRows } from './useVisibleRows.ts';

type Key = string | number;

interface LongBody {
  readonly keys: readonly Key[];
  /** The place of the row that a line of the body belongs to; below 0 for an empty space. */
  readonly placeOf: (line: Element) => number;
  /** The place of the row that an address leads to, which is always rendered; -1 for none. */
  readonly aimed: number;
}

/** What the body of a long table renders as the page scrolls. The row with the focus stays, and so does the focus. */
export function useRowSlots(
  body: RefObject<HTMLTableSectionElement | null>,
  { keys, placeOf, aimed }: LongBody,
): readonly RowSlot[] {
  const known = useMemo(() => rowHeights<Key>(), []);
  const estimate = useSignal(firstEstimate);
  const focused = useRef<Key | undefined>(undefined);
  const heightsNow = () => keys.map((key) => known.of(key) ?? estimate.value);
  const range = useVisibleRows(
    body,
    (sight, rendered) => {
      const lines = [...(body.current?.rows ?? [])];
      const heights = new Map<Key, number>();
      for (const line of lines) {
        const key = keys[placeOf(line)];
        if (key !== undefined) heights.set(key, (heights.get(key) ?? 0) + line.getBoundingClientRect().height);
      }
      const box = body.current?.closest('table')?.parentElement;
      estimate.value = known.take({ width: box?.clientWidth ?? 0, heights });
      const withFocus = lines.find((line) => line.contains(document.activeElement));
      focused.current = withFocus && keys[placeOf(withFocus)];
      return renderedRows({ ...sight, heights: heightsNow(), rendered });
    },
    [keys.length],
  );
  const kept = [aimed, focused.current === undefined ? -1 : keys.indexOf(focused.current)];
  return rowSlots({ range, kept, heights: heightsNow() });
}

import { type RowRange, spareRows } from './visibleRows.ts';

interface Heights {
  /** The heights of all rows, as far as they are known; of others, an estimate. */
  readonly heights: readonly number[];
}

interface Seen extends Heights {
  /** The distance of the list from the top of the window. */
  readonly top: number;
  /** The height of the window. */
  readonly height: number;
  /** The rows that are rendered. */
  readonly rendered: RowRange;
}

/** With fewer rendered rows beyond the edges, other rows are rendered. */
const leastSpare = 2;

/**
 * The rows of free height to render. The rendered ones stay while they cover the window, so that a row which turns out
 * higher or lower than was estimated does not make rows come and go.
 */
export function renderedRows({ top, height, heights, rendered }: Seen): RowRange {
  const count = heights.length;
  const from = rowAt(-top, heights);
  const to = rowAt(height - top, heights) + 1;
  const around = (spare: number): RowRange => ({ from: Math.max(0, from - spare), to: Math.min(count, to + spare) });
  const least = around(leastSpare);
  const isCovered = rendered.from <= least.from && least.to <= rendered.to && rendered.to <= count;
  return isCovered ? rendered : around(spareRows);
}

/** The row at a distance from the top of the list; the nearest one where there is none. */
function rowAt(distance: number, heights: readonly number[]): number {
  let bottom = 0;
  const at = heights.findIndex((height) => (bottom += height) > distance);
  return at === -1 ? Math.max(0, heights.length - 1) : at;
}

/** A rendered row, or the space of the rows from one place on that are not rendered. */
export type RowSlot = { readonly index: number } | { readonly from: number; readonly space: number };

interface Rendered extends Heights {
  readonly range: RowRange;
  /** The places of rows that are rendered wherever they are. */
  readonly kept: readonly number[];
}

/** All that the body of a long table consists of, from top to bottom. */
export function rowSlots({ range, kept, heights }: Rendered): readonly RowSlot[] {
  const inRange = Array.from({ length: range.to - range.from }, (_, index) => range.from + index);
  const shown = [...new Set([...inRange, ...kept])].filter((index) => index >= 0 && index < heights.length);
  const slots: RowSlot[] = [];
  let from = 0;
  for (const index of [...shown.toSorted((a, b) => a - b), heights.length]) {
    if (index > from) slots.push({ from, space: heights.slice(from, index).reduce((sum, one) => sum + one, 0) });
    if (index < heights.length) slots.push({ index });
    from = index + 1;
  }
  return slots;
}

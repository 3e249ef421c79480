/** Extra rows beyond the edges, so that a quick scroll shows no gap. */
export const spareRows = 8;

/** Some rows of a list, by their places; `to` is the first row after them. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

interface VisibleRange {
  /** The distance of the list from the top of the window. */
  readonly top: number;
  /** The height of the window. */
  readonly height: number;
  readonly rowHeight: number;
  readonly count: number;
}

/** The visible rows of a list whose rows have one height. */
export function visibleRows({ top, height, rowHeight, count }: VisibleRange): RowRange {
  const from = Math.floor(-top / rowHeight) - spareRows;
  const to = Math.ceil((height - top) / rowHeight) + spareRows;
  const last = Math.max(0, Math.min(count, to));
  return { from: Math.max(0, Math.min(from, last)), to: last };
}

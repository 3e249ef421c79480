/** Extra rows beyond the edges, so that a quick scroll shows no gap. */
const spare = 8;

interface VisibleRange {
  /** The distance of the list from the top of the window. */
  readonly top: number;
  /** The height of the window. */
  readonly height: number;
  readonly rowHeight: number;
  readonly count: number;
}

/** The visible rows of a list; `to` is the first row after them. */
export function visibleRows({ top, height, rowHeight, count }: VisibleRange): {
  readonly from: number;
  readonly to: number;
} {
  const from = Math.floor(-top / rowHeight) - spare;
  const to = Math.ceil((height - top) / rowHeight) + spare;
  const last = Math.max(0, Math.min(count, to));
  return { from: Math.max(0, Math.min(from, last)), to: last };
}

/** Rows drawn beyond the edges, so that a quick scroll meets no gap. */
const spare = 8;

interface Seen {
  /** Where the list begins, from the top of the window. */
  readonly top: number;
  /** Height of the window. */
  readonly height: number;
  readonly rowHeight: number;
  readonly count: number;
}

/** The rows of a list that are in sight; `to` is the first that is not. */
export function visibleRows({ top, height, rowHeight, count }: Seen): { readonly from: number; readonly to: number } {
  const from = Math.floor(-top / rowHeight) - spare;
  const to = Math.ceil((height - top) / rowHeight) + spare;
  const last = Math.max(0, Math.min(count, to));
  return { from: Math.max(0, Math.min(from, last)), to: last };
}

/** The height that rows are taken to have before one is measured. */
export const firstEstimate = 40;

/** The heights of the rendered rows by their keys, in a box of some width. */
interface Measured<K> {
  readonly width: number;
  readonly heights: ReadonlyMap<K, number>;
}

/**
 * Remembers the heights of rows while the width stays. The estimate for the others is the average of the first measured
 * rows; it does not follow later ones, because all below a long space would move with it.
 */
export function rowHeights<K>() {
  const known = new Map<K, number>();
  let estimate = firstEstimate;
  let widthBefore = 0;
  return {
    of: (key: K): number | undefined => known.get(key),
    /** Takes what was measured; returns the estimate. */
    take: ({ width, heights }: Measured<K>): number => {
      if (width !== widthBefore) known.clear();
      widthBefore = width;
      // A row that is not displayed has no height.
      const displayed = [...heights].filter(([, height]) => height > 0);
      if (known.size === 0 && displayed.length > 0)
        estimate = displayed.reduce((sum, [, height]) => sum + height, 0) / displayed.length;
      for (const [key, height] of displayed) known.set(key, height);
      return estimate;
    },
  };
}

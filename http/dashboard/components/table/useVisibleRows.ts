import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { RowRange } from './visibleRows.ts';

interface Sight {
  /** The distance of the list from the top of the window. */
  readonly top: number;
  /** The height of the window. */
  readonly height: number;
}

/**
 * The rows of a list to render, as the page scrolls. They are worked out of what is seen and of the rows that are
 * rendered, also whenever one of the values changes that they follow.
 */
export function useVisibleRows(
  list: RefObject<HTMLElement | null>,
  rowsOf: (sight: Sight, rendered: RowRange) => RowRange,
  follows: readonly unknown[],
): RowRange {
  const range = useSignal<RowRange>({ from: 0, to: 40 });
  const latest = useRef(rowsOf);
  latest.current = rowsOf;
  useEffect(() => {
    const measure = () => {
      if (!list.current) return;
      const { top } = list.current.getBoundingClientRect();
      const { from, to } = range.peek();
      const next = latest.current({ top, height: innerHeight }, { from, to });
      if (next.from !== from || next.to !== to) range.value = next;
    };
    measure();
    // What scrolls may be a part of the page, whose events only come down.
    const scrolls = { passive: true, capture: true };
    addEventListener('scroll', measure, scrolls);
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => {
      removeEventListener('scroll', measure, scrolls);
      observer.disconnect();
    };
  }, follows);
  return range.value;
}

import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { visibleRows } from './visibleRows.ts';

interface Rows {
  readonly rowHeight: number;
  readonly count: number;
}

/** The rows of a list that are in the window or near it, as the page scrolls; `to` is the first row after them. */
export function useVisibleRows(list: RefObject<HTMLElement | null>, { rowHeight, count }: Rows) {
  const range = useSignal({ from: 0, to: 40 });
  useEffect(() => {
    const measure = () => {
      if (!list.current) return;
      const { top } = list.current.getBoundingClientRect();
      const next = visibleRows({ top, height: innerHeight, rowHeight, count });
      const { from, to } = range.peek();
      if (next.from !== from || next.to !== to) range.value = next;
    };
    measure();
    addEventListener('scroll', measure, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => {
      removeEventListener('scroll', measure);
      observer.disconnect();
    };
  }, [count, rowHeight]);
  return range.value;
}

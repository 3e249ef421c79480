import { useLayoutEffect, useRef } from 'preact/hooks';

/** A line of links that may scroll: the one at this place is brought into sight, as far as possible in the middle. */
export function useInSight(current: number, count: number) {
  const line = useRef<HTMLElement & HTMLDivElement>(null);
  useLayoutEffect(() => {
    const shown = line.current;
    const link = shown?.children[current];
    if (!shown || !(link instanceof HTMLElement)) return;
    const { left, width } = link.getBoundingClientRect();
    shown.scrollLeft += left - shown.getBoundingClientRect().left - (shown.clientWidth - width) / 2;
  }, [current, count]);
  return line;
}

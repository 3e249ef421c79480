import type { ComponentChildren } from 'preact';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { visibleRows } from './visibleRows.ts';

interface VirtualListProps<T> {
  readonly items: readonly T[];
  readonly rowHeight: number;
  readonly label: string;
  /** The number of columns besides the common ones. */
  readonly ownColumns: number;
  /** The row of column heads. */
  readonly head: ComponentChildren;
  readonly keyOf: (item: T) => string;
  readonly row: (item: T) => ComponentChildren;
  readonly open: (item: T) => void;
  /** Called when the pointer or the focus enters or leaves the list, so that rows can keep their places. */
  readonly onHold: (held: boolean) => void;
}

/** The height of the sticky part of the window: the page's head and the column heads. */
const stickyPx = 86;

/** A grid of any length that renders only the visible rows; it scrolls with the page. */
export function VirtualList<T>({
  items,
  rowHeight,
  label,
  ownColumns,
  head,
  keyOf,
  row,
  open,
  onHold,
}: VirtualListProps<T>) {
  const list = useRef<HTMLDivElement>(null);
  const range = useSignal({ from: 0, to: 40 });
  const active = useSignal(0);

  const measure = () => {
    if (!list.current) return;
    const next = visibleRows({
      top: list.current.getBoundingClientRect().top,
      height: innerHeight,
      rowHeight,
      count: items.length,
    });
    const { from, to } = range.peek();
    if (next.from !== from || next.to !== to) range.value = next;
  };
  useEffect(() => {
    measure();
    addEventListener('scroll', measure, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => {
      removeEventListener('scroll', measure);
      observer.disconnect();
    };
  }, [items.length, rowHeight]);

  const at = Math.min(active.value, items.length - 1);
  const to = (index: number) => {
    active.value = Math.max(0, Math.min(items.length - 1, index));
    const top = (list.current?.getBoundingClientRect().top ?? 0) + active.value * rowHeight;
    if (top < stickyPx) scrollBy(0, top - stickyPx);
    else if (top + rowHeight > innerHeight) scrollBy(0, top + rowHeight - innerHeight);
  };
  const page = Math.max(1, Math.floor(innerHeight / rowHeight) - 6);
  const steps: Record<string, () => void> = {
    ArrowDown: () => to(at + 1),
    ArrowUp: () => to(at - 1),
    PageDown: () => to(at + page),
    PageUp: () => to(at - page),
    Home: () => to(0),
    End: () => to(items.length - 1),
    Enter: () => {
      const item = items[at];
      if (item !== undefined) open(item);
    },
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (!step || event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    step();
  };

  const { from, to: end } = range.value;
  const shown = items.slice(from, end).map((item, index) => ({ item, index: from + index }));
  const atItem = items[at];
  if (atItem !== undefined && (at < from || at >= end)) shown.push({ item: atItem, index: at });
  return (
    <div
      class="grid"
      style={{ '--own': ownColumns, '--row': `${rowHeight}px` }}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={items.length + 1}
      aria-activedescendant={atItem === undefined ? undefined : rowId(keyOf(atItem))}
      onKeyDown={onKeyDown}
      onPointerEnter={() => onHold(true)}
      onPointerLeave={() => onHold(false)}
      onFocus={() => onHold(true)}
      onBlur={() => onHold(false)}
    >
      {head}
      <div ref={list} class="grid-rows" role="rowgroup" style={{ height: `${items.length * rowHeight}px` }}>
        {shown.map(({ item, index }) => (
          <div
            key={keyOf(item)}
            id={rowId(keyOf(item))}
            class="grid-row"
            role="row"
            aria-rowindex={index + 2}
            data-active={index === at}
            style={{ transform: `translateY(${index * rowHeight}px)` }}
            onClick={() => (active.value = index)}
          >
            {row(item)}
          </div>
        ))}
      </div>
    </div>
  );
}

const rowId = (key: string) => `row-${key}`;

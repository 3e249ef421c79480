import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { isNarrowViewport } from '../../store/viewport.ts';
import { InRow } from '../times.tsx';
import { type Column, type Sorting, tracksOf } from './column.ts';
import { frozenOrder } from './frozenOrder.ts';
import { rowPlaces } from './rowPlaces.ts';
import { TableHead } from './tableHead.tsx';
import { useVisibleRows } from './useVisibleRows.ts';
import { visibleRows } from './visibleRows.ts';

interface VirtualTableProps<T> {
  readonly label: string;
  /** In the order that the address asks for. */
  readonly items: readonly T[];
  readonly columns: readonly Column<T>[];
  /** The uid of an object, so that one made anew under an old name is another row. */
  readonly keyOf: (item: T) => string;
  readonly open: (item: T) => void;
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
  /** Changes whenever the reader asks for other rows or another order. */
  readonly asked: string;
  readonly onHold?: (held: boolean) => void;
  /** Where more rows follow than are given. */
  readonly more?: MoreRows | null;
}

export interface MoreRows {
  /** The rows of the whole list; null where nobody knows. */
  readonly total: number | null;
  /** Called when the last of the given rows come near. */
  readonly onEnd: () => void;
}

/** So many rows before the last one is seen, it is near. */
const nearRows = 30;
const rowHeight = 40;
/** The height of a row with two lines. */
const narrowRowHeight = 64;
/** The height of the sticky part of the window: the page's head and the column heads. */
const stickyPx = 86;

/**
 * A table of any length that renders only the visible rows and scrolls with the page. While the pointer or the focus is
 * in it, rows keep their places.
 */
export function VirtualTable<T>(props: VirtualTableProps<T>) {
  const { label, items, columns, keyOf, open, sorting, onSort, asked, onHold, more = null } = props;
  const height = isNarrowViewport.value ? narrowRowHeight : rowHeight;
  const list = useRef<HTMLDivElement>(null);
  const active = useSignal(0);
  const held = useSignal(false);
  const placesOf = useMemo(rowPlaces, []);
  const order = useMemo(() => frozenOrder(keyOf), [asked]);
  const rows = useMemo(() => order(items, held.value), [order, items, held.value]);
  const { from, to: after } = useVisibleRows(
    list,
    (sight) => visibleRows({ ...sight, rowHeight: height, count: rows.length }),
    [rows.length, height],
  );
  const isNearEnd = after >= rows.length - nearRows;
  useEffect(() => {
    if (isNearEnd) more?.onEnd();
  }, [isNearEnd, rows.length]);
  const hold = (on: boolean) => {
    held.value = on;
    onHold?.(on);
  };

  const at = Math.min(active.value, rows.length - 1);
  const atItem = rows[at];
  const onKeyDown = keysOf({
    list,
    height,
    at,
    count: rows.length,
    onMove: (index) => (active.value = index),
    onOpen: () => atItem !== undefined && open(atItem),
  });
  const shown = rows.slice(from, after).map((item, index) => ({ item, index: from + index }));
  if (atItem !== undefined && (at < from || at >= after)) shown.push({ item: atItem, index: at });
  const places = placesOf(
    shown.map(({ item }) => keyOf(item)),
    asked,
  );
  return (
    <div
      class="grid"
      style={{
        '--tracks': tracksOf(columns),
        '--tracks-early': tracksOf(columns.filter(({ yields }) => yields !== 'early')),
        '--row': `${height}px`,
      }}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={rowCount(more, rows.length)}
      aria-activedescendant={atItem === undefined ? undefined : rowId(keyOf(atItem))}
      onKeyDown={onKeyDown}
      onPointerEnter={() => hold(true)}
      onPointerLeave={() => hold(false)}
      onFocus={() => hold(true)}
      onBlur={() => hold(false)}
    >
      <TableHead columns={columns} sorting={sorting} onSort={onSort} />
      <div ref={list} class="grid-rows" role="rowgroup" style={{ height: `${rows.length * height}px` }}>
        <InRow.Provider value={true}>
          {shown.map(({ item, index }) => (
            <Row
              key={places.get(keyOf(item))}
              item={item}
              columns={columns}
              id={rowId(keyOf(item))}
              index={index}
              top={index * height}
              isActive={index === at}
              onPress={() => (active.value = index)}
            />
          ))}
        </InRow.Provider>
      </div>
    </div>
  );
}

interface RowProps<T> extends Pick<VirtualTableProps<T>, 'columns'> {
  readonly item: T;
  readonly id: string;
  /** Its place among all rows. */
  readonly index: number;
  /** Its distance from the top of the list, in pixels. */
  readonly top: number;
  readonly isActive: boolean;
  readonly onPress: () => void;
}

const Row = <T,>({ item, columns, id, index, top, isActive, onPress }: RowProps<T>) => (
  <div
    id={id}
    class="grid-row"
    role="row"
    aria-rowindex={index + 2}
    data-active={isActive}
    style={{ transform: `translateY(${top}px)` }}
    onClick={onPress}
  >
    {columns.map(({ label, look, yields, cell }) => (
      <span key={label} role="gridcell" class={look} data-yields={yields}>
        {cell(item)}
      </span>
    ))}
  </div>
);

interface KeysInput {
  readonly list: RefObject<HTMLElement | null>;
  /** The height of a row. */
  readonly height: number;
  /** The place of the active row. */
  readonly at: number;
  readonly count: number;
  readonly onMove: (index: number) => void;
  readonly onOpen: () => void;
}

/** Moves the active row by the keys, keeps it in the window, and opens it by Enter. */
const keysOf =
  ({ list, height, at, count, onMove, onOpen }: KeysInput) =>
  (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return;
    const page = Math.max(1, Math.floor(innerHeight / height) - 6);
    const next = nextRow(event.key, { at, page, last: count - 1 });
    const isOpened = event.key === 'Enter' && count > 0;
    if (next === null && !isOpened) return;
    event.preventDefault();
    if (next === null) return onOpen();
    onMove(next);
    const top = (list.current?.getBoundingClientRect().top ?? 0) + next * height;
    if (top < stickyPx) scrollBy(0, top - stickyPx);
    else if (top + height > innerHeight) scrollBy(0, top + height - innerHeight);
  };

/** The rows of the grid with its head, as assistive technology counts them: -1 where nobody knows. */
const rowCount = (more: MoreRows | null, rows: number): number => {
  if (more === null) return rows + 1;
  return more.total === null ? -1 : more.total + 1;
};

interface Position {
  readonly at: number;
  /** The number of rows in a window. */
  readonly page: number;
  readonly last: number;
}

/** The row that a key leads to; null for any other key. */
export function nextRow(key: string, { at, page, last }: Position): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: last,
  };
  const next = steps[key];
  return next === undefined ? null : Math.max(0, Math.min(last, next));
}

const rowId = (key: string) => `row-${key.replaceAll(' ', '_')}`;

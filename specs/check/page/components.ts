import { type Child, h, type Markup } from './html.ts';

type Cell = Child | { readonly cell: Child; readonly class: string };

const isPlaced = (cell: Cell): cell is { readonly cell: Child; readonly class: string } =>
  typeof cell === 'object' && 'cell' in cell;

/** A cell with a class of its own. */
export const cell = (content: Child, name: string): Cell => ({ cell: content, class: name });

const drawn = (one: Cell, tag = 'td'): Markup =>
  isPlaced(one) ? h(tag, { class: one.class }, one.cell) : h(tag, {}, one);

/** A heading with a table; nothing if the table has no rows. */
export const titled = (
  title: string,
  columns: readonly Cell[],
  rows: readonly (readonly Cell[])[],
): readonly Child[] =>
  rows.length === 0
    ? []
    : [
        h(
          'div',
          { class: 'part' },
          h('h3', {}, title),
          h(
            'div',
            { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': title },
            h(
              'table',
              {},
              h('thead', {}, h('tr', {}, ...columns.map((column) => headOf(column)))),
              h('tbody', {}, ...rows.map((row) => h('tr', {}, ...row.map((one) => drawn(one))))),
            ),
          ),
        ),
      ];

const headOf = (column: Cell): Markup =>
  isPlaced(column) ? h('th', { scope: 'col', class: column.class }, column.cell) : h('th', { scope: 'col' }, column);

/** How often something was covered; what never was stands out in colour and in words. */
export const times = (count: number, never = 'never'): Markup =>
  count > 0 ? h('span', { class: 'times' }, count) : h('strong', { class: 'never' }, never);

/** A name next to what it belongs to. */
export const chip = (name: string, text: string): Markup => h('span', { class: `chip chip-${name}` }, text);

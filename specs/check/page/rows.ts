import type { Row } from '../../../machines/table.ts';
import type { Outcome } from '../outcome.ts';
import { between, type Child, h, type Markup, name, words } from './html.ts';
import { chip, times } from './components.ts';

const columns = ['Row', 'From', 'Event, and when', 'To', 'Does, then ensures', 'Look', 'Status and source', 'Walked'];

const names = (list: readonly string[]): readonly Child[] =>
  between(
    list.map((one) => h('code', {}, name(one))),
    ', ',
  );

/** The length of a bar: logarithmic, so that thousands do not hide tens. */
const lengthOf = (count: number, most: number) =>
  most === 0 ? 0 : Math.round((100 * Math.log10(count + 1)) / Math.log10(most + 1));

const walkedCell = (count: number, most: number): Markup =>
  h(
    'td',
    { class: 'n' },
    times(count, 'never taken'),
    count === 0 ? '' : h('span', { class: 'walked', style: `width:${lengthOf(count, most)}%`, 'aria-hidden': 'true' }),
  );

const stateWords: Readonly<Record<string, string>> = {
  any: 'any state',
  same: 'stays',
  '(none)': 'nothing',
  '(deleted)': 'deleted',
};
const stateMarkup = (state: string): Child =>
  state in stateWords ? h('em', {}, stateWords[state] ?? '') : name(state);

/** One row of a table, with how often it was taken. */
function rowMarkup(
  row: Row,
  { count, most, file }: { readonly count: number; readonly most: number; readonly file: string },
) {
  const { id, from, event, when, to, does, ensures, look, source, status, line } = row;
  return h(
    'tr',
    { id, class: count === 0 ? 'row row-never' : 'row', 'data-status': status },
    h(
      'th',
      { scope: 'row' },
      h('a', { href: `#${id}` }, id),
      h('small', {}, h('span', { class: 'file' }, file), `:${line}`),
    ),
    h('td', {}, between(from.map(stateMarkup), [',', h('br')])),
    h('td', { class: 'event' }, h('code', {}, name(event)), h('small', {}, words(when))),
    h('td', {}, stateMarkup(to)),
    h('td', { class: 'does' }, names(does), ensures.length === 0 ? '' : h('small', {}, 'ensures ', names(ensures))),
    h('td', {}, name(look)),
    h('td', { class: 'source' }, chip(status, status), h('small', {}, words(source))),
    walkedCell(count, most),
  );
}

/** The table of a lifecycle: each row is an anchor, with its status and how often it was taken. */
export function rowsTable({ table, coverage }: Outcome): Markup {
  const file = table.file.replace(/^.*\//, '');
  const most = Math.max(0, ...Object.values(coverage.rows));
  const lines = (rows: readonly Row[]) =>
    rows.map((row) => rowMarkup(row, { count: coverage.rows[row.id] ?? 0, most, file }));
  const group = (name: string) =>
    h('tr', { class: 'group' }, h('th', { colspan: columns.length, scope: 'colgroup' }, name));
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Arrows' },
    h(
      'table',
      { class: 'arrows' },
      h(
        'thead',
        {},
        h('tr', {}, ...columns.map((name, at) => h('th', { scope: 'col', class: at === 7 ? 'n' : undefined }, name))),
      ),
      h('tbody', {}, ...lines(table.rows)),
      table.absence.length === 0
        ? ''
        : h('tbody', {}, group('Absence: where an instance comes from, and where it goes'), ...lines(table.absence)),
    ),
  );
}

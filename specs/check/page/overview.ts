import type { Outcome } from '../outcome.ts';
import { type Figures, figuresOf, percent, type Share, totalOf } from './figures.ts';
import { type Child, h, type Markup } from './html.ts';
import { chip } from './components.ts';

const columns = [
  'Lifecycle',
  'Faults',
  'Rows',
  'Stated · inferred · ours',
  'Arrows',
  'Worlds',
  'Invariants',
  'Rules',
  'Verdicts',
  'Mutants',
];

const shareCell = ({ met, of }: Share): Markup =>
  met === of ? h('td', { class: 'n' }, of) : h('td', { class: 'n missed' }, met, h('span', {}, ' of ', of));

function mutantsCell(mutants: Share | null): Markup {
  if (mutants === null) return h('td', { class: 'n muted' }, 'not run');
  const { met, of } = mutants;
  return h(
    'td',
    { class: met === of ? 'n' : 'n missed' },
    percent(mutants),
    h('span', {}, met === of ? [' of ', of] : [' ', met, ' of ', of]),
  );
}

const worldsCell = ({ worlds, exhaustive }: Figures): Markup =>
  worlds === null
    ? h('td', { class: 'n muted' }, 'not searched')
    : h('td', { class: 'n' }, worlds, exhaustive ? '' : h('span', {}, ' cut off'));

/** The shares of the three kinds of rows, as bars side by side. */
function statusCell({ stated, inferred, ours }: Figures): Markup {
  const bars = Object.entries({ stated, inferred, ours }).filter(([, count]) => count > 0);
  return h(
    'td',
    { class: 'mix' },
    h(
      'span',
      { class: 'bars', 'aria-hidden': 'true' },
      ...bars.map(([name, count]) => h('span', { class: `bar bar-${name}`, style: `flex-grow:${count}` })),
    ),
    h('span', { class: 'mix-words' }, `${stated} · ${inferred} · ${ours}`),
  );
}

const cellsOf = (figures: Figures): readonly Child[] => [
  figures.faults === 0
    ? h('td', { class: 'n good' }, '✓ ', h('span', { class: 'unseen' }, 'none'))
    : h('td', { class: 'n bad' }, figures.faults),
  shareCell(figures.rows),
  statusCell(figures),
  h('td', { class: 'n' }, figures.arrows),
  worldsCell(figures),
  shareCell(figures.invariants),
  shareCell(figures.rules),
  shareCell(figures.verdicts),
  mutantsCell(figures.mutants),
];

/** One line of numbers for each lifecycle. */
export function overview(outcomes: readonly Outcome[]): Markup {
  const all = outcomes.map((outcome) => ({ outcome, figures: figuresOf(outcome) }));
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Overview' },
    h(
      'table',
      { class: 'overview' },
      h('caption', { class: 'unseen' }, 'Every lifecycle and what its check met'),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          ...columns.map((name, at) => h('th', { scope: 'col', class: at === 0 || at === 3 ? undefined : 'n' }, name)),
        ),
      ),
      h(
        'tbody',
        {},
        ...all.map(({ outcome, figures }) =>
          h(
            'tr',
            {},
            h(
              'th',
              { scope: 'row' },
              h('a', { href: `#${outcome.name}` }, outcome.name),
              outcome.provisional ? [' ', chip('provisional', 'provisional')] : '',
            ),
            ...cellsOf(figures),
          ),
        ),
      ),
      h(
        'tfoot',
        {},
        h('tr', {}, h('th', { scope: 'row' }, 'All'), ...cellsOf(totalOf(all.map(({ figures }) => figures)))),
      ),
    ),
  );
}

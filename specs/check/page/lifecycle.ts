import { plural } from '../../../http/dashboard/model/plural.ts';
import { pictured } from '../../diagrams/pictured.ts';
import { svgOf } from '../../diagrams/svg.ts';
import type { Fault, Outcome } from '../outcome.ts';
import { type Figures, figuresOf, percent, rowsOf, type Share, survivorsOf } from './figures.ts';
import { type Child, h, type Markup, whole, words } from './html.ts';
import { mutation } from './mutation.ts';
import { chip } from './components.ts';
import { rowsTable } from './rows.ts';
import { sections } from './sections.ts';

/** A place in the sources; a row of the table becomes a link to it. */
function placeMarkup(place: string, outcome: Outcome): Markup {
  const row = rowsOf(outcome).find(({ line }) => place === `${outcome.table.file}:${line}`);
  const code = h('code', {}, place);
  return row ? h('a', { href: `#${row.id}` }, code) : code;
}

const faultMarkup =
  (outcome: Outcome) =>
  ({ check, at, text }: Fault): Markup =>
    h(
      'li',
      { class: 'fault' },
      h('div', { class: 'fault-head' }, chip('check', check), ...at.map((place) => [' ', placeMarkup(place, outcome)])),
      text.includes('\n')
        ? h('pre', { tabindex: 0, role: 'region', 'aria-label': 'Counterexample' }, text)
        : h('p', {}, words(text)),
    );

const faults = (outcome: Outcome): readonly Child[] =>
  outcome.faults.length === 0
    ? []
    : [
        h(
          'div',
          { class: 'faults' },
          h('h3', {}, plural(outcome.faults.length, 'fault')),
          h('ul', {}, ...outcome.faults.map(faultMarkup(outcome))),
        ),
      ];

const tile = (term: string, value: Child, isMissed = false): Markup =>
  h('div', { class: isMissed ? 'missed' : undefined }, h('dt', {}, term), h('dd', {}, value));

const share = (term: string, { met, of }: Share): Markup =>
  tile(term, of === 0 ? '–' : [met, h('small', {}, ' of ', of)], met < of);

const worldsTile = ({ worlds, exhaustive, steps }: Figures): Markup =>
  worlds === null
    ? tile('States explored', '–')
    : tile('States explored', [worlds, h('small', {}, exhaustive ? ' all' : ' cut off')], !exhaustive && steps > 0);

const figures = (outcome: Outcome): Markup => {
  const counted = figuresOf(outcome);
  const { rows, arrows, invariants, rules, verdicts, mutants, steps } = counted;
  return h(
    'dl',
    { class: 'figures' },
    share('Rows walked', rows),
    tile('Arrows', arrows),
    worldsTile(counted),
    tile('Steps', counted.worlds === null ? '–' : steps),
    share('Invariants checked', invariants),
    share('Rules that held', rules),
    share('Verdicts that held', verdicts),
    mutants === null
      ? tile('Mutants caught', '–')
      : tile(
          'Mutants caught',
          [percent(mutants), h('small', {}, ` ${mutants.met} of ${mutants.of}`)],
          mutants.met < mutants.of,
        ),
  );
};

/** The section of one lifecycle: its faults first, then its diagram, its table and the other sections. */
export function lifecycle(outcome: Outcome): Markup {
  const { name, provisional, table, initial, seed, ms, faults: found } = outcome;
  const survivors = survivorsOf(outcome).length;
  const facts = provisional ? 'Its facts are provisional: no controller gathers them yet. ' : '';
  return h(
    'details',
    { class: 'lifecycle', id: name, open: true },
    h(
      'summary',
      {},
      h('h2', {}, name),
      provisional ? chip('provisional', 'provisional') : '',
      survivors > 0 ? chip('doubt', plural(survivors, 'survivor')) : '',
      found.length === 0 ? chip('fine', '✓ no fault') : chip('wrong', `✕ ${plural(found.length, 'fault')}`),
    ),
    h(
      'p',
      { class: 'muted small about' },
      h('code', {}, table.file),
      `. It begins in ${initial}. ${facts}Checked in ${(ms / 1000).toFixed(1)} s with the seed ${seed}.`,
    ),
    faults(outcome),
    figures(outcome),
    h('figure', {}, whole(svgOf(pictured(table), 'inline'))),
    rowsTable(outcome),
    h('div', { class: 'beside' }, mutation(outcome), sections(outcome)),
  );
}

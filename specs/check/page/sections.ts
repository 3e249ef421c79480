import { exactSpan } from '../../../http/dashboard/model/time.ts';
import type { Outcome } from '../outcome.ts';
import { type Child, h, words } from './html.ts';
import { cell, chip, times, titled } from './components.ts';

const end = (name: string) => cell(name, 'n');
const state = (name: string): Child => (name === '(none)' ? h('em', {}, 'none yet') : name);

/** The rules of each state in the order in which they are tried, with how often each held. */
function order({ table, coverage }: Outcome): readonly Child[] {
  const rule = (id: string) =>
    h('li', {}, h('code', {}, id), ' ', h('span', { class: 'held' }, times(coverage.rules[id] ?? 0, 'never held')));
  return titled(
    'Rules in the order tried, and how often each held',
    ['State', 'Rules'],
    table.order.map(({ state: name, rules }) => [state(name), h('ol', { class: 'rules' }, ...rules.map(rule))]),
  );
}

const rules = ({ coverage, places }: Outcome): readonly Child[] =>
  Object.keys(coverage.rules).length === 0
    ? []
    : [
        h(
          'details',
          { class: 'part' },
          h('summary', {}, 'Where each rule stands'),
          titled(
            'Rules',
            ['Rule', 'File and line', end('Held')],
            Object.entries(coverage.rules).map(([id, count]) => [
              h('code', {}, id),
              h('code', {}, places.rules[id] ?? '–'),
              cell(times(count, 'never held'), 'n'),
            ]),
          ),
        ),
      ];

const verdicts = ({ table, coverage }: Outcome): readonly Child[] =>
  table.verdicts.flatMap(({ name, rows }) =>
    titled(
      `${name}: verdicts in the order checked`,
      ['Row', 'Reason', 'Status', 'When', 'Message', 'Counts', 'Cause', 'Source', end('Held')],
      rows.map(({ id, reason, status, when, message, counts, cause, source }) => [
        h('span', { class: 'mono nowrap' }, id),
        reason === '-' ? '' : reason,
        status === '-' ? '' : status,
        words(when),
        h('q', {}, message),
        counts === '-' ? '' : counts,
        cause === '-' ? '' : cause,
        words(source),
        cell(times(coverage.verdicts[id] ?? 0, 'never held'), 'n'),
      ]),
    ),
  );

const sayings = ({ table }: Outcome): readonly Child[] =>
  titled(
    'What rules say, exactly',
    ['Rule', 'Says', 'Source'],
    table.words.map(({ rule, says, source }) => [h('code', {}, rule), h('q', {}, says), words(source)]),
  );

const kinds: Readonly<Record<string, string>> = { always: 'always', never: 'never', eventually: 'in the end' };

const invariants = ({ table, searched }: Outcome): readonly Child[] =>
  titled(
    'Invariants, and on how many states or steps each was checked',
    ['Invariant', 'Kind', 'What holds', 'Source', end('Checked on')],
    table.invariants.map(({ name, kind, holds, source }) => [
      h('code', {}, name),
      chip('kind', kinds[kind] ?? kind),
      words(holds),
      words(source),
      cell(times(searched?.invariants[name] ?? 0, 'not checked'), 'n'),
    ]),
  );

const valueOf = (name: string, value: number) => (/(Ms|Millis)$/.test(name) ? exactSpan(value) : value);

const limits = ({ table }: Outcome): readonly Child[] =>
  titled(
    'Limits',
    ['Limit', end('Value'), 'Source'],
    table.limits.map(({ name, value, source }) => [
      h('code', {}, name),
      cell(valueOf(name, value), 'n'),
      words(source),
    ]),
  );

const deadlines = ({ table }: Outcome): readonly Child[] =>
  titled(
    'Deadlines',
    ['State', end('At most'), 'Since'],
    table.deadlines.map(({ state, atMostMs, since }) => [state, cell(exactSpan(atMostMs), 'n nowrap'), words(since)]),
  );

const rests = ({ table }: Outcome): readonly Child[] =>
  titled(
    'Rest',
    ['State', 'Rests until'],
    table.rests.map(({ state, until }) => [state, words(until)]),
  );

const asked = ({ table }: Outcome): readonly Child[] =>
  titled(
    'Asked for',
    ['Command', 'Asked by'],
    table.asked.map(({ command, by }) => [h('code', {}, command), words(by)]),
  );

const elsewhere = ({ table }: Outcome): readonly Child[] =>
  titled(
    'Elsewhere',
    ['Event', 'Comes from'],
    table.elsewhere.map(({ event, by }) => [h('code', {}, event), words(by)]),
  );

const lens = ({ table }: Outcome): readonly Child[] =>
  titled(
    'How the state is kept',
    ['Stored', 'Read as'],
    table.lens.map(({ stored, readAs }) => [words(stored), readAs]),
  );

/** The sections of a table besides its rows, with how often the check covered each entry. */
export const sections = (outcome: Outcome): readonly Child[] => [
  ...invariants(outcome),
  ...order(outcome),
  ...rules(outcome),
  ...sayings(outcome),
  ...verdicts(outcome),
  h('div', { class: 'pair' }, ...[limits, deadlines, rests, asked, elsewhere, lens].map((section) => section(outcome))),
];

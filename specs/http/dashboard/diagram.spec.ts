import * as assert from 'uvu/assert';
import type { Row } from '../../../http/api.ts';
import { placeDiagram, roundedPath } from '../../../http/dashboard/diagram/layout.ts';
import { markOf } from '../../../http/dashboard/diagram/marks.ts';
import { diagramOf, labelOf } from '../../../http/dashboard/diagram/model.ts';
import { suite } from '../../support/suite.ts';

const diagram = suite('machine diagram');

const row = (id: string, from: readonly string[], event: string, to: string): Row => ({
  id,
  from,
  event,
  to,
  when: '',
  does: [],
  ensures: [],
  look: '',
  source: '',
  status: 'stated',
  line: 1,
});
const state = (name: string) => ({ name, shown: name, resting: false, final: false, restsUntil: null, ensures: [] });

const machine = {
  states: ['Pending', 'Running', 'Done', 'Unrecognised'].map(state),
  rows: [
    row('A-0', ['(none)'], 'created', 'Pending'),
    row('A-1', ['Pending'], 'started', 'Running'),
    row('A-2', ['Pending'], 'adopted', 'Running'),
    row('A-3', ['Running'], 'progressed', 'Running'),
    row('A-4', ['Pending', 'Running'], 'waited', 'same'),
    row('A-5', ['Running'], 'finished', 'Done'),
    row('A-6', ['Pending', 'Running', 'Done', 'Unrecognised'], 'pushed', 'Pending'),
    row('A-7', ['Done'], 'outlived', '(deleted)'),
  ],
};
const model = diagramOf(machine, new Set());
const ids = (rows: readonly Row[] | undefined) => rows?.map(({ id }) => id).join(' ');

diagram('arrows between the same states are merged, and moves within a state are loops', () => {
  assert.equal(
    model.arrows.map(({ from, to, rows }) => `${from}>${to}: ${ids(rows)}`),
    ['Pending>Running: A-1 A-2', 'Running>Done: A-5'],
  );
  assert.is(ids(model.loops['Running']), 'A-3 A-4');
  assert.is(ids(model.loops['Pending']), 'A-4');
});

diagram('an arrow from any or no state is an entry, and deletions are separate', () => {
  assert.equal(
    model.entries.map(({ from, to, rows }) => `${from}>${to}: ${ids(rows)}`),
    ['(none)>Pending: A-0', 'any state>Pending: A-6'],
  );
  assert.is(ids(model.ends), 'A-7');
});

diagram('a diagram contains every row of the table', () => {
  const drawn = [...model.arrows, ...model.entries].flatMap(({ rows }) => rows);
  const all = new Set([...drawn, ...Object.values(model.loops).flat(), ...model.ends]);
  assert.is(all.size, machine.rows.length);
});

diagram('a state without its own arrow is drawn only when an instance is in it', () => {
  assert.equal(model.states, ['Pending', 'Running', 'Done']);
  assert.ok(diagramOf(machine, new Set(['Unrecognised'])).states.includes('Unrecognised'));
});

diagram('a label names its first events and counts the others', () => {
  const rows = ['a', 'b', 'c', 'd', 'a'].map((event, index) => row(`B-${index}`, ['X'], event, 'Y'));
  assert.equal(labelOf(rows, 4), ['a', 'b', 'c', 'd']);
  assert.equal(labelOf(rows, 3), ['a', 'b', 'c +1']);
  assert.equal(labelOf(rows, 1), ['a +3']);
});

for (const direction of ['LR', 'TB'] as const)
  diagram(`states and labels are inside the picture and do not overlap, direction ${direction}`, () => {
    const placed = placeDiagram(model, direction, 3);
    const boxes = [...Object.values(placed.states), ...placed.entries, ...placed.arrows.map(({ label }) => label)];
    const full = boxes.filter(({ width }) => width > 0);
    for (const [index, a] of full.entries()) {
      assert.ok(a.x - a.width / 2 >= 0 && a.x + a.width / 2 <= placed.width, 'inside, across');
      assert.ok(a.y - a.height / 2 >= 0 && a.y + a.height / 2 <= placed.height, 'inside, down');
      for (const b of full.slice(index + 1)) {
        const apart =
          Math.abs(a.x - b.x) >= (a.width + b.width) / 2 - 0.5 ||
          Math.abs(a.y - b.y) >= (a.height + b.height) / 2 - 0.5;
        assert.ok(apart);
      }
    }
  });

diagram('a diagram marks visited arrows and the possible next ones', () => {
  const arrow = (from: string) => {
    const found = model.arrows.find((one) => one.from === from);
    if (!found) throw new Error(`no arrow leaves ${from}`);
    return found;
  };
  const moves = [
    { from: 'Done', to: 'Pending', event: 'pushed' },
    { from: 'Pending', to: 'Running', event: 'adopted' },
  ];
  const marks = { current: 'Running', moves, next: new Set(['A-5', 'A-6']) };
  assert.is(markOf(marks, arrow('Pending')), 'visited');
  assert.is(markOf(marks, arrow('Running')), 'next');
  assert.equal(
    model.entries.map((entry) => markOf(marks, entry)),
    ['plain', 'visited'],
  );
  assert.is(markOf({ current: 'Pending', moves: [], next: new Set() }, arrow('Pending')), 'plain');
});

diagram('a rounded path starts and ends at its given points', () => {
  const points = [
    { x: 0, y: 0 },
    { x: 10, y: 0 },
    { x: 10, y: 10 },
  ];
  assert.is(roundedPath(points), 'M0,0 L5,0 Q10,0 10,5 L10,10');
  assert.is(roundedPath(points.slice(0, 2)), 'M0,0 L10,0');
  assert.is(roundedPath([]), '');
});

diagram.run();

import * as assert from 'uvu/assert';
import type { Instance, StreamEvent } from '../../../http/api.ts';
import { frozenOrder } from '../../../http/dashboard/components/table/frozenOrder.ts';
import { rowPlaces } from '../../../http/dashboard/components/table/rowPlaces.ts';
import { visibleRows } from '../../../http/dashboard/components/table/visibleRows.ts';
import { applyEvents } from '../../../http/dashboard/store/applyEvents.ts';
import { suite } from '../../support/suite.ts';
import { instance } from './instance.ts';

const instances = suite('instances of a machine page');

const move = (to: Instance): StreamEvent => ({
  event: 'move',
  data: {
    seq: 1,
    machine: to.machine,
    from: 'Pending',
    event: 'jobCreated',
    to: to.state,
    by: 'operator',
    at: to.since,
    text: '',
    outside: false,
    id: to.id,
    name: to.name,
    uid: to.uid,
    kind: to.kind,
    instance: to,
  },
});
const deleted = (uid: string, about: Partial<Instance> = {}): StreamEvent => {
  const { id, name, kind, machine } = instance(about);
  return { event: 'deleted', data: { id, name, uid, kind, machine } };
};

function after(events: readonly StreamEvent[], start: readonly Instance[] = [instance({})]) {
  const map = new Map(start.map((one) => [one.id, one]));
  const changed = applyEvents(map, 'build', events);
  return { changed, states: [...map.values()].map(({ name, state }) => `${name} ${state}`) };
}

instances('instances follow moves, appear when new and disappear when deleted', () => {
  assert.equal(after([move(instance({ state: 'Failed' }))]).states, ['shop-build-1 Failed']);
  assert.equal(after([move(instance({ id: 'corebuilds:new', name: 'new' }))]).states, [
    'shop-build-1 Running',
    'new Running',
  ]);
  assert.equal(after([deleted('u1')]).states, []);
});

instances('instances ignore events of another machine or of an older object of the same name', () => {
  assert.equal(after([move(instance({ machine: 'other', state: 'Failed' })), deleted('u0')]), {
    changed: false,
    states: ['shop-build-1 Running'],
  });
});

instances('instances ignore an older move, and a new object replaces the old one of its name', () => {
  const older = { state: 'Pending', since: '2025-12-31T23:59:59.000Z' };
  assert.equal(after([move(instance(older))]), { changed: false, states: ['shop-build-1 Running'] });
  assert.equal(after([move(instance({ ...older, uid: 'u2' }))]).states, ['shop-build-1 Pending']);
});

instances('instances of two kinds with the same name are separate', () => {
  const project = { id: 'coreprojects:shop-build-1', kind: 'CoreProject', uid: 'u2' };
  assert.equal(after([move(instance({ ...project, state: 'Failed' }))]).states, [
    'shop-build-1 Running',
    'shop-build-1 Failed',
  ]);
  assert.equal(after([deleted('u2', project)], [instance({}), instance(project)]).states, ['shop-build-1 Running']);
});

instances('instances ignore repeated events', () => {
  const told = [
    move(instance({ state: 'Failed' })),
    move(instance({ id: 'corebuilds:new', name: 'new' })),
    deleted('u1'),
  ];
  assert.equal(after([...told, ...told]).states, after(told).states);
});

instances('instances keep their order while held, new ones come last, and sorting resumes on release', () => {
  const order = frozenOrder(({ id }: { readonly id: string }) => id);
  const names = (list: string, held: boolean) =>
    order(
      list.split('').map((id) => ({ id })),
      held,
    )
      .map(({ id }) => id)
      .join('');
  assert.is(names('abc', false), 'abc');
  assert.is(names('dcab', true), 'abcd');
  assert.is(names('dca', true), 'acd');
  assert.is(names('dca', false), 'dca');
});

instances('rows are rendered only in the visible range plus a margin', () => {
  const seen = (top: number, count = 5000) => visibleRows({ top, height: 800, rowHeight: 40, count });
  assert.equal(seen(600), { from: 0, to: 13 });
  assert.equal(seen(-40_000), { from: 992, to: 1028 });
  assert.equal(seen(-40_000, 3), { from: 3, to: 3 });
  assert.equal(seen(5000), { from: 0, to: 0 });
  assert.equal(seen(-199_600), { from: 4982, to: 5000 });
});

instances('a row keeps its element while it is shown, and elements are reused only for another filter', () => {
  const placesOf = rowPlaces();
  const places = (keys: string, asked: string) => [...placesOf(keys.split(''), asked).values()];
  assert.equal(places('abc', ''), [0, 1, 2]);
  assert.equal(places('bcd', ''), [1, 2, 3], 'a row scrolled into view reuses no element');
  assert.equal(places('cxy', '?q=x'), [2, 1, 3], 'a filter lets new rows have the elements of those that left');
  assert.equal(places('xyzw', '?q=xy'), [1, 3, 2, 4]);
});

instances.run();

import * as assert from 'uvu/assert';
import type { Instance, Read, StreamEvent, Summary } from '../../../http/api.ts';
import { withEvents } from '../../../http/dashboard/store/fleet.ts';
import type { TypedPath } from '../../../http/dashboard/model/routeAnswers.ts';
import { keeperOf, type ListOf } from '../../../http/dashboard/store/list.ts';
import { type Named, type Pages, pagesOf, withoutRow, withRow } from '../../../http/dashboard/store/pages.ts';
import { missed } from '../../../http/dashboard/store/live.ts';
import { type Reader, readerOf } from '../../../http/dashboard/store/reader.ts';
import { countWord } from '../../../http/dashboard/model/listCount.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import { instance } from './instance.ts';

const pages = suite('paged lists of the dashboard');

const nameOf = (index: number) => `row-${String(index).padStart(5, '0')}`;
const rowsOf = (from: number, to: number): readonly Named[] =>
  Array.from({ length: to - from }, (_, index) => ({ name: nameOf(from + index) }));

const fetched = globalThis.fetch;
let asked: string[] = [];
/** How many rows the server has; the pages of a list are cut from them. */
let total = 0;
let refusals: Response[] = [];
let path = 0;

/** A server whose `continue` is the number of the next row. */
function answer(url: string): Response {
  const query = new URL(url, 'http://core').searchParams;
  const from = Number(query.get('continue') ?? '0');
  const refused = from > 0 || asked.length > 1 ? refusals.shift() : undefined;
  if (refused) return refused;
  const to = Math.min(total, from + Number(query.get('limit')));
  return Response.json({ items: rowsOf(from, to), ...(to < total ? { continue: String(to) } : {}) });
}

pages.before.each(() => {
  asked = [];
  total = 3000;
  refusals = [];
  path += 1;
  globalThis.fetch = (input) => {
    const url = input instanceof Request ? input.url : input.toString();
    asked.push(url.slice(url.indexOf('?') + 1));
    return Promise.resolve(answer(url));
  };
});
pages.after(() => {
  globalThis.fetch = fetched;
});

type Rows = Reader<Pages<Named>>;
const rowsPath = () => `/rows/${path}` as TypedPath<Pages<Named>>;
const reader = (): Rows => readerOf<Pages<Named>>(rowsPath(), { isPaged: true, reading: pagesOf(rowsPath()) });
const follow = (rows: Rows, wanted: () => number) => rows.follow({ concerns: () => false, wanted });
const read = (rows: Rows): number => rows.loaded.value.value?.items.length ?? 0;

pages('a list shows its first rows before the others are read in the background', async () => {
  const rows = reader();
  const seen: number[] = [];
  const forget = rows.loaded.subscribe(({ value }) => void seen.push(value?.items.length ?? 0));
  const stop = follow(rows, () => 1000);
  await until(() => read(rows) === 1000, 'the first thousand rows are read');
  assert.equal(seen, [0, 100, 1000]);
  assert.equal(asked, ['limit=100', 'limit=900&continue=100']);
  forget();
  stop();
});

pages('a list reads more when scrolled and everything when all rows are wanted', async () => {
  let wanted = 1000;
  const rows = reader();
  const stop = follow(rows, () => wanted);
  await until(() => read(rows) === 1000, 'the first thousand rows are read');
  wanted = 2000;
  rows.readOn();
  await until(() => read(rows) === 2000, 'the next are read');
  const stopAll = follow(rows, () => Infinity);
  rows.readOn();
  await until(() => read(rows) === 3000, 'all are read');
  assert.is(rows.loaded.value.value?.continue, undefined);
  rows.readOn();
  assert.is(asked.length, 4, 'of a list that is whole nothing more is asked');
  stop();
  stopAll();
});

pages('a short list is read with one request', async () => {
  total = 100;
  const rows = reader();
  const stop = follow(rows, () => Infinity);
  await until(() => read(rows) === 100, 'it is read');
  assert.equal(asked, ['limit=100']);
  stop();
});

const refusal = (status: number, error: string) => Response.json({ error }, { status });

pages('a list restarts when its page is too old and keeps the shown rows until then', async () => {
  let wanted = 2000;
  const rows = reader();
  const stop = follow(rows, () => wanted);
  await until(() => read(rows) === 2000, 'two thousand are read');
  const seen: number[] = [];
  const forget = rows.loaded.subscribe(({ value }) => void seen.push(value?.items.length ?? 0));
  asked = [];
  refusals = [refusal(410, 'continue is too old: begin again')];
  wanted = 3000;
  rows.readOn();
  await until(() => read(rows) === 3000, 'all are read');
  assert.equal(asked, [
    'limit=1000&continue=2000',
    'limit=1000',
    'limit=1000&continue=1000',
    'limit=1000&continue=2000',
  ]);
  assert.equal([...new Set(seen)], [2000, 3000], 'never fewer than before');
  forget();
  stop();
});

pages('a failed page keeps the rows and is retried at its place', async () => {
  refusals = [refusal(403, 'not now')];
  const rows = reader();
  const stop = follow(rows, () => 1000);
  await until(() => rows.loaded.value.failed !== null, 'the second page fails');
  assert.is(read(rows), 100);
  rows.readOn();
  await until(() => read(rows) === 1000, 'it is read');
  assert.is(rows.loaded.value.failed, null);
  assert.equal(asked.slice(1), ['limit=900&continue=100', 'limit=900&continue=100']);
  stop();
});

pages('a list reads its shown rows anew after missed events', async () => {
  const rows = reader();
  const stop = follow(rows, () => 1000);
  await until(() => read(rows) === 1000, 'the first thousand rows are read');
  asked = [];
  total = 900;
  missed.value += 1;
  await until(() => read(rows) === 900, 'it is read anew');
  assert.equal(asked, ['limit=1000']);
  stop();
});

pages('a reload during the first read repeats only the first rows', async () => {
  const rows = reader();
  const stop = follow(rows, () => 1000);
  rows.reload();
  await until(() => read(rows) === 1000, 'the first thousand rows are read');
  assert.equal(asked, ['limit=100', 'limit=1000']);
  stop();
});

const half: Pages<Named> = { items: rowsOf(0, 10), continue: '10' };

pages('a changed row is inserted by name, left to a later page or removed when deleted', () => {
  const names = (of: Pages<Named>) => of.items.map(({ name }) => name);
  assert.equal(names(withRow(half, { name: 'row-00004a' })).slice(4, 7), [nameOf(4), 'row-00004a', nameOf(5)]);
  assert.is(withRow(half, { name: nameOf(11) }), half);
  assert.is(withRow({ items: half.items }, { name: nameOf(11) }).items.length, 11);
  assert.is(withRow(half, { name: nameOf(3) }).items.length, 10);
  assert.is(withoutRow(half, nameOf(3)).items.length, 9);
  assert.is(withoutRow(half, nameOf(11)), half);
});

const change = (name: string, deleted = false): StreamEvent => ({
  event: 'change',
  data: { kind: 'CoreApp', name, project: 'shop', environment: 'production', version: '1', deleted },
});

/** A keeper over rows; what it asks for and whether it wants all rows anew. */
async function kept(events: readonly StreamEvent[], isIn?: (object: Summary) => boolean) {
  let rows = half as Pages<Summary>;
  globalThis.fetch = (input) => {
    const name = (input instanceof Request ? input.url : input.toString()).slice('/one/'.length);
    asked.push(name);
    return Promise.resolve(Response.json({ resource: { name, state: 'failed' } }));
  };
  const list = {
    loaded: { peek: () => ({ value: rows }) },
    amend: (of: (value: Pages<Summary>) => Pages<Summary>) => (rows = of(rows)),
  } as unknown as Reader<Pages<Summary>>;
  const keep = keeperOf(
    {
      path: '/all' as ListOf['path'],
      kind: 'CoreApp',
      one: (name) => `/one/${name}` as TypedPath<Read>,
      ...(isIn ? { isIn } : {}),
    },
    list,
  );
  const isAnew = keep(events);
  await new Promise((done) => setTimeout(done, 5));
  return { isAnew, rows };
}

pages('an event reads only its row, and none when the row is not yet read', async () => {
  const { isAnew, rows } = await kept([change(nameOf(3)), change(nameOf(7), true), change(nameOf(11))]);
  assert.is(isAnew, false);
  assert.equal(asked, [nameOf(3)]);
  assert.is(rows.items.length, 9);
  assert.is(rows.items[3]?.state, 'failed');
});

pages('a row leaves the list when it no longer matches the search', async () => {
  const { rows } = await kept([change(nameOf(3))], ({ state }) => state === 'ready');
  assert.is(rows.items.length, 9);
});

pages('many events at once read the shown rows anew', async () => {
  const events = rowsOf(0, 9).map(({ name }) => change(name));
  assert.is((await kept(events)).isAnew, true);
  assert.equal(asked, []);
});

const at = (name: string, about: Partial<Instance> = {}) => instance({ id: `corebuilds:${name}`, name, ...about });
const moved = (of: Instance): StreamEvent => ({ event: 'instance', data: of });

pages('instances are inserted within the read range and removed when they no longer match', () => {
  const some: Pages<Instance> = { items: ['a', 'c', 'e'].map((name) => at(name)), continue: 'e' };
  const names = (of: Pages<Instance>) => of.items.map(({ name, state }) => `${name} ${state}`);
  const after = (about: Instance, isIn?: (one: Instance) => boolean) =>
    names(withEvents(some, [moved(about)], { machine: 'build', ...(isIn ? { isIn } : {}) }));
  assert.equal(after(at('b')), ['a Running', 'b Running', 'c Running', 'e Running']);
  assert.equal(after(at('f')), ['a Running', 'c Running', 'e Running']);
  assert.equal(after(at('c', { state: 'Failed' })), ['a Running', 'c Failed', 'e Running']);
  assert.equal(
    after(at('c', { state: 'Failed' }), ({ state }) => state === 'Running'),
    ['a Running', 'e Running'],
  );
  assert.is(withEvents(some, [moved(at('c', { machine: 'other' }))], { machine: 'build' }), some);
});

pages('a list shows how many of its rows are loaded', () => {
  assert.is(countWord({ shown: 12, read: 5000, hasMore: false, total: 5000 }), '12 of 5,000');
  assert.is(countWord({ shown: 1000, read: 1000, hasMore: true, total: 3000 }), 'The first 1,000 of 3,000');
  assert.is(countWord({ shown: 1000, read: 1000, hasMore: true, total: null }), 'The first 1,000 of more than 1,000');
  assert.is(countWord({ shown: 3, read: 2000, hasMore: true, total: 3000 }), '3 in the first 2,000');
});

pages.run();

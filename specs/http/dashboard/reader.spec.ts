import * as assert from 'uvu/assert';
import type { StreamEvent } from '../../../http/api.ts';
import { changedIn } from '../../../http/dashboard/store/list.ts';
import { missed } from '../../../http/dashboard/store/live.ts';
import { withMoves } from '../../../http/dashboard/store/moves.ts';
import type { TypedPath } from '../../../http/dashboard/model/routeAnswers.ts';
import { readerOf } from '../../../http/dashboard/store/reader.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import { instance } from './instance.ts';

const reader = suite('dashboard reader');

const fetched = globalThis.fetch;
let asked: string[] = [];
let answer: () => Response;
reader.before.each(() => {
  asked = [];
  answer = () => Response.json({ at: asked.length });
  globalThis.fetch = (path) => {
    asked.push(path instanceof Request ? path.url : String(path));
    return Promise.resolve(answer());
  };
});
reader.after(() => {
  globalThis.fetch = fetched;
});

const never = { concerns: () => false };
const readerAt = (path: string) => readerOf(path as TypedPath<{ readonly at: number }>);

reader('a path is read once for several readers, and anew after missed events', async () => {
  const one = readerAt('/once');
  const stops = [one.follow(never), readerAt('/once').follow(never), readerAt('/once').follow(never)];
  await until(() => one.loaded.value.value?.at === 1, 'it is read');
  assert.equal(asked, ['/once']);
  missed.value += 1;
  await until(() => one.loaded.value.value?.at === 2, 'it is read again');
  stops.slice(1).forEach((stop) => stop());
  missed.value += 1;
  await until(() => one.loaded.value.value?.at === 3, 'the last one who shows it keeps it current');
  stops[0]?.();
  missed.value += 1;
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.is(asked.length, 3);
});

reader('a failed read keeps the earlier data and adds the message of the server', async () => {
  const one = readerAt('/kept');
  const stop = one.follow(never);
  await until(() => one.loaded.value.value !== null, 'it is read');
  const { readAt } = one.loaded.value;
  answer = () => Response.json({ error: 'the cluster is away' }, { status: 403 });
  one.reload();
  await until(() => one.loaded.value.failed !== null, 'it fails');
  assert.equal(one.loaded.value, {
    value: { at: 1 },
    readAt,
    failed: { is: 'refused', status: 403, error: 'the cluster is away' },
  });
  stop();
  assert.is(readerAt('/kept').loaded.value.value?.at, 1, 'the value is kept for later readers');
});

reader('a change during a read is applied to the result', async () => {
  const one = readerAt('/amended');
  const stop = one.follow(never);
  one.amend(({ at }) => ({ at: at + 40 }));
  await until(() => one.loaded.value.value !== null, 'it is read');
  assert.is(one.loaded.value.value?.at, 41, 'the answer may be older than the change');
  one.amend(({ at }) => ({ at: at + 1 }));
  assert.is(one.loaded.value.value?.at, 42);
  assert.equal(asked, ['/amended']);
  stop();
});

reader('data of no reader is evicted after other reads, and data on screen never is', async () => {
  const shown = readerAt('/shown');
  const stop = shown.follow(never);
  await until(() => shown.loaded.value.value !== null, 'it is read');
  for (let index = 0; index < 100; index += 1) readerAt(`/idle/${index}`);
  assert.is(readerAt('/shown'), shown);
  stop();
  for (let index = 0; index < 100; index += 1) readerAt(`/idle/${index}`);
  assert.is.not(readerAt('/shown'), shown);
});

const change = (name: string, deleted = false, kind = 'CoreApp'): StreamEvent => ({
  event: 'change',
  data: { kind, name, project: 'shop', environment: 'production', version: '1', deleted },
});

reader('only the last notice of an object counts, and other kinds do not', () => {
  const events = [change('a'), change('b'), change('a', true), change('c', false, 'CoreBuild')];
  assert.equal(
    [...changedIn(events, 'CoreApp')],
    [
      ['a', 'deleted'],
      ['b', 'written'],
    ],
  );
});

const minute = (seq: number) => `2026-01-01T00:${String(seq).padStart(2, '0')}:00.000Z`;
const shownMove = (seq: number, at = minute(seq)) => ({
  seq,
  machine: 'build',
  from: 'Pending',
  event: 'jobCreated',
  to: 'Running',
  by: 'operator',
  at,
  text: '',
  outside: false,
});
const moveEvent = (seq: number, at = minute(seq), machine = 'build'): StreamEvent => {
  const { id, name, uid, kind } = instance({});
  const data = { ...shownMove(seq, at), machine, id, name, uid, kind, instance: instance({}) };
  return { event: 'move', data };
};

reader('moves are appended from events once and in order, and read anew for a recreated object', () => {
  const { id } = instance({});
  const known = [shownMove(1), shownMove(2)];
  const seqs = (events: readonly StreamEvent[], machine?: string) =>
    withMoves(known, events, { id, ...(machine === undefined ? {} : { machine }) })?.map(({ seq }) => seq);
  assert.equal(seqs([moveEvent(4), moveEvent(3), moveEvent(2), change('a')]), [1, 2, 3, 4]);
  assert.equal(seqs([moveEvent(3, minute(3), 'provisionRetry')], 'build'), [1, 2]);
  assert.equal(seqs([moveEvent(3, minute(3), 'provisionRetry')]), [1, 2, 3]);
  assert.is(withMoves(known, [moveEvent(3)], { id: 'corebuilds:other' })?.length, 2);
  assert.is(withMoves(known, [moveEvent(1, minute(9))], { id }), null);
});

reader.run();

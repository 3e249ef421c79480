import * as assert from 'uvu/assert';
import type { HistoryEntry, KubeObject } from '../../../crds/kind.ts';
import { historyOf, newestMove, nextMoveAt, withMove } from '../../../runtime/step/history.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('history');
const empty: KubeObject = { metadata: { name: 'a' } };
const at = (ms: number) => new Date(ms).toISOString();
const move = (machine: string, to: string, ms: number): Omit<HistoryEntry, 'seq'> => ({
  machine,
  from: 'A',
  event: 'e',
  to,
  by: 'operator',
  at: at(ms),
  text: '',
});

spec('each machine keeps its newest 20 moves, independent of other machines', () => {
  let object = withMove(empty, move('quiet', 'Q', 0));
  for (let n = 1; n <= 45; n++) object = withMove(object, move('busy', `B${n}`, n));
  const busy = historyOf(object).filter(({ machine }) => machine === 'busy');
  assert.equal(
    busy.map(({ to }) => to),
    Array.from({ length: 20 }, (_, n) => `B${n + 26}`),
  );
  assert.is(newestMove(object, 'quiet')?.to, 'Q');
  assert.is(newestMove(object, 'busy')?.to, 'B45');
  assert.is(newestMove(object, 'other'), undefined);
});

spec('the newest move of a list entry belongs to that entry after any earlier commands', () => {
  let object = withMove(empty, { ...move('list', 'X', 0), item: 'a' });
  object = withMove(object, { ...move('list', 'Y', 1), item: 'b' });
  assert.equal([newestMove(object, 'list', 'a')?.to, newestMove(object, 'list', 'b')?.to], ['X', 'Y']);
  assert.is(newestMove(object, 'other', 'a'), undefined);
  assert.is(newestMove(object, 'list'), undefined);
  object = withMove(object, { ...move('list', 'Z', 2), item: 'a' });
  object = withMove(object, { ...move('other', 'Q', 3), item: 'a' });
  assert.equal([newestMove(object, 'list', 'a')?.to, newestMove(object, 'other', 'a')?.to], ['Z', 'Q']);
});

spec('moves are counted from 1, and the count continues when the oldest are dropped', () => {
  let object = empty;
  for (let n = 1; n <= 30; n++) object = withMove(object, move('m', 'X', n));
  assert.equal(
    historyOf(object).map(({ seq }) => seq),
    Array.from({ length: 20 }, (_, n) => n + 11),
  );
});

spec('a move is always later than the one before, also when the clock goes back or stops', () => {
  const object = withMove(empty, move('m', 'X', 10_000));
  assert.is(nextMoveAt(empty, 5), at(5));
  assert.is(nextMoveAt(object, 20_000), at(20_000));
  assert.is(nextMoveAt(object, 10_000), at(10_001));
  assert.is(nextMoveAt(object, 3), at(10_001));
});

spec('adding a move does not mutate the object', () => {
  const before = withMove(empty, move('m', 'X', 1));
  const text = JSON.stringify(before);
  withMove(before, move('m', 'Y', 2));
  assert.is(JSON.stringify(before), text);
});

spec.run();

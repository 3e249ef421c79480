import * as assert from 'uvu/assert';
import { backoffMs } from '../../../http/dashboard/stream/backoff.ts';
import { decodeEvent } from '../../../http/dashboard/stream/decode.ts';
import { knownIds } from '../../../http/dashboard/stream/knownIds.ts';
import { suite } from '../../support/suite.ts';

const stream = suite('dashboard event stream');

stream('the reconnect wait doubles from half a second to ten seconds with jitter', () => {
  const waits = (chance: number) => Array.from({ length: 12 }, (_, index) => backoffMs(index + 1, chance));
  assert.equal(waits(1), [500, 1000, 2000, 4000, 8000, ...Array.from({ length: 7 }, () => 10_000)]);
  assert.ok(waits(0).every((ms) => ms >= 500 && ms <= 5000));
  assert.not.equal(backoffMs(4, 0.1), backoffMs(4, 0.9));
});

stream('a repeated event id is dropped, and the oldest ids are forgotten first', () => {
  const isNew = knownIds(2);
  assert.equal(['a', 'a', 'b', 'a', 'c', 'b', 'a'].map(isNew), [true, false, true, false, true, false, true]);
});

stream('an unknown or invalid event is ignored', () => {
  const decode = (event: string, data: string) => decodeEvent({ id: '', event, data });
  assert.equal(decode('tick', '{"now":"2026-01-01T00:00:00Z"}'), {
    event: 'tick',
    data: { now: '2026-01-01T00:00:00Z' },
  });
  assert.is(decode('tomorrow', '{}'), null);
  assert.is(decode('move', '{"broken'), null);
  assert.is(decode('move', 'null'), null);
});

stream.run();

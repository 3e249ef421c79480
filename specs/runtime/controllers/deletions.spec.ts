import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../crds/kind.ts';
import { isoTime } from '../../../rules/time.ts';
import { makeDeletions } from '../../../runtime/controllers/provisioned/deletion.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('the duration of a deletion');
const at = Date.UTC(2027, 0, 1);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const deletedAt = (ms: number, uid = 'one'): KubeObject => ({
  metadata: { name: 'orders', uid, deletionTimestamp: isoTime(ms) },
});

spec('DB-222 DB-224 the wait of a deletion counts from the deletion by the monotonic clock', () => {
  const { since } = makeDeletions();
  assert.is(since({ metadata: { name: 'orders' } }, { now: at, monotonic: 5 }), null);
  for (const passed of [0, minuteMs, 10 * minuteMs])
    assert.is(since(deletedAt(at), { now: at + passed, monotonic: 5 + passed }), at);
});

spec('DB-222 DB-224 a changed wall clock makes the wait of a deletion neither shorter nor longer', () => {
  for (const jump of [-3 * hourMs, 3 * hourMs]) {
    const { since } = makeDeletions();
    assert.is(since(deletedAt(at), { now: at + minuteMs, monotonic: minuteMs }), at);
    const now = at + 2 * minuteMs + jump;
    assert.is(now - (since(deletedAt(at), { now, monotonic: 2 * minuteMs }) ?? 0), 2 * minuteMs);
    assert.is(since(deletedAt(at), { now }), at + jump, 'an explanation says the same');
  }
});

spec(
  'DB-222 DB-224 the wait of a deletion counts from the first pass when the clock was set back before the process started',
  () => {
    const { since } = makeDeletions();
    const now = at - 3 * hourMs;
    assert.is(since(deletedAt(at), { now }), now);
    assert.is(since(deletedAt(at), { now, monotonic: 7 }), now);
    assert.is(since(deletedAt(at), { now: now + minuteMs, monotonic: 7 + minuteMs }), now);
  },
);

spec('DB-222 a later object of the same name has a separate deletion', () => {
  const { since } = makeDeletions();
  since(deletedAt(at), { now: at, monotonic: 0 });
  const later = at + hourMs;
  assert.is(since(deletedAt(later, 'two'), { now: later, monotonic: hourMs }), later);
});

spec.run();

import * as assert from 'uvu/assert';
import type { StoredCause } from '../../../crds/cause.ts';
import { countedSince, eventOfCause } from '../../../rules/cause/event.ts';
import { crashCause } from '../../support/crashCause.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('the Event of a cause');

const crash: StoredCause = { ...crashCause, count: 4, logLine: 'ERROR no database' };

spec('a failure is a Warning with the reason of the cause, and without the line of the log', () => {
  const event = eventOfCause(crash);
  assert.equal([event?.type, event?.reason, event?.message], ['Warning', 'CrashLoop', crash.message]);
  assert.ok(!JSON.stringify(event).includes('no database'));
});

spec('its id is that of identity and beginning: a count or a restart of Core makes no other', () => {
  const { id } = eventOfCause(crash) ?? {};
  assert.is(eventOfCause({ ...crash, count: 9, message: 'other words', logLine: '' })?.id, id);
  assert.is.not(eventOfCause({ ...crash, since: '2026-01-01T13:00:00.000Z' })?.id, id);
  assert.is.not(eventOfCause({ ...crash, on: { ...crash.on, name: 'api' } })?.id, id);
});

spec('a wait for another object is a Normal WaitsFor, the first push its own, progress and notes none', () => {
  const root = { ...crash.on, reason: 'CrashLoop' };
  const waits = eventOfCause({ ...crash, severity: 'waiting', reason: 'DatabaseNotReady', root });
  assert.equal([waits?.type, waits?.reason], ['Normal', 'WaitsFor']);
  assert.is(eventOfCause({ ...crash, severity: 'waiting', reason: 'FirstPushAwaited' })?.reason, 'FirstPushAwaited');
  assert.is(eventOfCause({ ...crash, severity: 'progress' }), null);
  assert.is(eventOfCause({ ...crash, severity: 'note' }), null);
});

spec('what lasts is counted once more every 30 minutes, by every process alike', () => {
  const noon = Date.parse(crash.since);
  assert.equal(
    [0, 1_799_999, 1_800_000, 7_200_000, -10_800_000].map((ms) => countedSince(crash.since, noon + ms)),
    [1, 1, 2, 5, 1],
  );
});

spec.run();

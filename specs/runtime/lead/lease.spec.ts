import * as assert from 'uvu/assert';
import { leaseName, leases } from '../../../runtime/lead/leaseRecord.ts';
import { suite } from '../../support/suite.ts';
import { leaseMs, makeEnvironment, msUntil } from './environment.ts';

const spec = suite('lease');
const retryMs = (leaseMs * 2) / 15;
/** The time of a request and its response. */
const roundTripMs = 10;
const hourMs = 3_600_000;

/** A leader and a standby. */
async function pair() {
  const environment = makeEnvironment();
  const first = await environment.enter('first');
  await environment.pass(1_000);
  const second = await environment.enter('second');
  await environment.pass(20_000);
  return { environment, first, second };
}

spec('a free lease is acquired at once and renewed, and other processes are standbys', async () => {
  const environment = makeEnvironment();
  const first = await environment.enter('first');
  assert.ok((await msUntil(environment, first.works)) <= roundTripMs);
  const second = await environment.enter('second');
  await environment.pass(10 * leaseMs, () => assert.ok(first.mayWrite() && !second.mayWrite()));
  assert.equal([first.works(), second.works(), environment.holder()], [true, false, 'first']);
});

spec('the lease names its holder, duration and times with six digits of the second', async () => {
  const { environment } = await pair();
  const { acquireTime = '', renewTime = '', ...spec } = environment.lease()?.spec ?? {};
  assert.equal(spec, { holderIdentity: 'first', leaseDurationSeconds: 15, leaseTransitions: 0 });
  for (const time of [acquireTime, renewTime]) assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  assert.ok(renewTime > acquireTime);
  assert.equal(environment.lease()?.metadata.namespace, 'core-system');
});

spec('a stopping leader releases the lease, and the standby acquires it at its next check', async () => {
  const { environment, first, second } = await pair();
  first.network.backMs = 300;
  environment.look = () =>
    assert.ok(environment.holder() === 'first' || !first.mayWrite(), 'not once it is given back');
  await first.stop();
  assert.is(environment.holder(), '');
  assert.ok((await msUntil(environment, second.works)) <= retryMs + roundTripMs);
  assert.is(environment.lease()?.spec?.leaseTransitions, 1);
});

spec('a leader stops without waiting when the API is unavailable', async () => {
  const { environment, first } = await pair();
  environment.apiIsDown = true;
  first.network.lost = 'requests';
  const from = environment.now();
  await first.stop();
  assert.ok(environment.now() - from <= 1_100);
  assert.is(environment.holder(), 'first');
});

spec('a stopping standby does not change the lease', async () => {
  const { environment, first, second } = await pair();
  await second.stop();
  await environment.pass(leaseMs);
  assert.equal([environment.holder(), first.works()], ['first', true]);
});

spec('another process leads within 1.2 times the lease after a crash, and not before the lease expired', async () => {
  for (let aliveMs = 0; aliveMs < 4_000; aliveMs += 190) {
    const { environment, first, second } = await pair();
    await environment.pass(aliveMs);
    const renewedAt = Date.parse(environment.lease()?.spec?.renewTime ?? '');
    await first.crash();
    const ms = await msUntil(environment, second.mayWrite);
    assert.ok(ms <= 1.2 * leaseMs, `after ${ms} ms`);
    // The standby saw the last renewal at most one retry late, and tries again at the very moment the lease runs out.
    const late = environment.now() - (renewedAt + leaseMs);
    assert.ok(late >= 0 && late <= retryMs + 2 * roundTripMs, `${late} ms after it ran out`);
  }
});

spec('a process suspended for longer than the lease cannot write before any of its timers ran', async () => {
  const { environment, first, second } = await pair();
  first.paused = true;
  await environment.pass(2 * leaseMs);
  assert.equal([first.mayWrite(), second.mayWrite()], [false, true]);
  first.paused = false;
  await environment.pass(5_000, () => assert.not.ok(first.mayWrite()));
  assert.equal([first.works(), second.works(), environment.holder()], [false, true, 'second']);
});

spec('the lease counts from when its renewal was sent, not from when the answer came', async () => {
  for (let pausedAfterMs = 0; pausedAfterMs < 6_000; pausedAfterMs += 500) {
    const { environment, first, second } = await pair();
    first.network.backMs = 4_000;
    await environment.pass(6_000 + pausedAfterMs);
    first.paused = true;
    await environment.pass(1.3 * leaseMs, () => assert.not.ok(first.mayWrite() && second.mayWrite()));
    assert.ok(second.mayWrite());
  }
});

spec(
  'a process that was suspended for longer than the lease and still holds it continues after a renewal',
  async () => {
    const environment = makeEnvironment();
    const only = await environment.enter('only');
    await environment.pass(5_000);
    only.paused = true;
    await environment.pass(2 * leaseMs);
    assert.not.ok(only.mayWrite());
    only.paused = false;
    await msUntil(environment, () => only.mayWrite() && only.works(), leaseMs);
  },
);

spec('a leader without a connection ends its term before the lease expires and leads later', async () => {
  for (const way of ['requests', 'answers', 'down'] as const) {
    const environment = makeEnvironment();
    const only = await environment.enter('only');
    await environment.pass(5_000);
    if (way === 'down') environment.apiIsDown = true;
    else only.network.lost = way;
    assert.ok((await msUntil(environment, () => !only.works())) < leaseMs, way);
    assert.not.ok(only.mayWrite());
    environment.apiIsDown = false;
    only.network.lost = 'nothing';
    await msUntil(environment, () => only.works() && only.mayWrite(), leaseMs);
    assert.is(environment.lease()?.spec?.leaseTransitions, 0, 'it was nobody else’s meanwhile');
  }
});

spec('a leader keeps the lease while the API is unavailable for some seconds', async () => {
  const { environment, first } = await pair();
  environment.apiIsDown = true;
  await environment.pass(5_000, () => assert.ok(first.works()));
  environment.apiIsDown = false;
  await environment.pass(2 * leaseMs, () => assert.ok(first.works() && first.mayWrite()));
});

spec('wall clocks that jump by hours on either side do not affect the lease', async () => {
  for (const skewMs of [3 * hourMs, -3 * hourMs]) {
    const { environment, first, second } = await pair();
    for (const jumping of [first, second]) {
      jumping.skewMs = skewMs;
      await environment.pass(2 * leaseMs, () => assert.ok(first.mayWrite() && !second.mayWrite()));
      assert.is(environment.lease()?.spec?.leaseTransitions, 0);
    }
    await first.crash();
    const ms = await msUntil(environment, second.works);
    assert.ok(ms > leaseMs - 2 * retryMs && ms <= 1.2 * leaseMs, `after ${ms} ms`);
  }
});

spec('a deleted lease is recreated by its holder', async () => {
  const { environment, first, second } = await pair();
  environment.cluster.drop(leases, leaseName);
  await environment.pass(2 * leaseMs, () => assert.not.ok(second.mayWrite()));
  assert.equal([environment.holder(), first.works()], ['first', true]);
});

spec('a leader stops when a user gives its lease to another holder', async () => {
  const { environment, first } = await pair();
  const stored = environment.lease();
  if (!stored) throw new Error('no lease');
  environment.cluster.put(leases, { ...stored, spec: { ...stored.spec, holderIdentity: 'by hand' } });
  await environment.pass(2 * retryMs + roundTripMs);
  assert.not.ok(first.works());
  await environment.pass(2_000, () => assert.not.ok(first.mayWrite()));
});

spec('a successor of the same name does not wait for its predecessor', async () => {
  const environment = makeEnvironment();
  const first = await environment.enter('embedded');
  await environment.pass(5_000);
  await first.crash();
  const next = await environment.enter('embedded');
  assert.ok((await msUntil(environment, next.works)) <= 2 * roundTripMs);
  assert.is(environment.lease()?.spec?.leaseTransitions, 0);
});

spec('a standby waits for the lease duration that the holder wrote', async () => {
  const { environment, first, second } = await pair();
  const stored = environment.lease();
  if (!stored) throw new Error('no lease');
  await first.crash();
  environment.cluster.put(leases, {
    ...stored,
    spec: { ...stored.spec, holderIdentity: 'slow', leaseDurationSeconds: 60 },
  });
  await environment.pass(59_000);
  assert.not.ok(second.works());
  await msUntil(environment, second.works, 4_000);
});

spec.run();

import { Clock, Effect, Fiber } from 'effect';
import * as assert from 'uvu/assert';
import type { StoredCause } from '../../../crds/cause.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { apps } from '../../../runtime/services/cluster/kinds.ts';
import { causeEvents } from '../../../runtime/write/causeEvents.ts';
import type { EventContent } from '../../../runtime/write/kubeEvent.ts';
import { crashCause as crash } from '../../support/crashCause.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import { clockOf } from '../pass/sampleController.ts';

const spec = suite('Kubernetes Events of causes');

const began = Date.parse(crash.since);
const progress: StoredCause = { ...crash, reason: 'CopiesStarting', severity: 'progress' };
const web = (...causes: readonly StoredCause[]): KubeObject =>
  ({ metadata: { name: 'web', uid: '12345678-9' }, status: { causes } }) as KubeObject;

function recorded() {
  const added: EventContent[] = [];
  const counted: KubeObject[] = [];
  const events = causeEvents({
    add: (_, __, content) => void added.push(content),
    count: (event) => Effect.sync(() => void counted.push(event)),
  });
  const see = (after: KubeObject, { before = web(), now = began }: { before?: KubeObject; now?: number } = {}) =>
    events.recorded(apps, { before, after, now });
  return { ...events, see, added, counted };
}

spec('a cause is told once, however often its object is passed over, and anew when it begins anew', () => {
  const { see, added } = recorded();
  for (const count of [1, 2, 3]) see(web({ ...crash, count }, progress));
  assert.equal(
    added.map(({ type, reason, isOnce }) => [type, reason, isOnce]),
    [['Warning', 'CrashLoop', true]],
  );
  see(web());
  see(web({ ...crash, since: '2026-01-01T13:00:00.000Z' }));
  assert.is(new Set(added.map(({ id }) => id)).size, 2);
});

spec('what a new leader tells has the name that the one before gave it', () => {
  const [one, other] = [recorded(), recorded()];
  one.see(web(crash));
  other.see(web({ ...crash, count: 7 }));
  assert.is(one.added[0]?.id, other.added[0]?.id);
});

spec('a new leader writes no Event again, unless the one before may have ended too early for it', () => {
  const { see, added } = recorded();
  see(web(crash), { before: web(crash), now: began + 60_001 });
  assert.is(added.length, 0);
  const early = recorded();
  early.see(web(crash), { before: web(crash), now: began + 59_999 });
  assert.is(early.added.length, 1);
  const late = { ...crash, since: '2026-01-01T13:00:00.000Z' };
  see(web(crash, late), { before: web(crash), now: began + 86_400_000 });
  assert.is(added.length, 1, 'a cause that the pass recorded');
});

spec('Warnings that last are counted every 30 minutes, until they are over or another process leads', async () => {
  const { see, renew, clear, counted } = recorded();
  see(web(crash, { ...crash, severity: 'waiting', reason: 'ProjectNotReady' }));
  let now = began;
  let wakes: (() => void)[] = [];
  const sleep: Clock.Clock['sleep'] = () =>
    Effect.callback<void>((resume) => void wakes.push(() => resume(Effect.void)));
  const clock = Object.assign(
    clockOf(() => now),
    { sleep },
  );
  const fiber = Effect.runFork(Effect.provideService(renew, Clock.Clock, clock));
  const pass = async () => {
    await until(() => wakes.length > 0, 'the wait for the next count');
    now += 1_800_000;
    const [wake] = wakes;
    wakes = [];
    wake?.();
    await until(() => wakes.length > 0, 'the count');
  };
  await pass();
  await pass();
  assert.equal(
    counted.map((event) => [
      (event as KubeObject & { readonly reason: string; readonly count: number }).reason,
      (event as KubeObject & { readonly count: number }).count,
    ]),
    [
      ['CrashLoop', 2],
      ['CrashLoop', 3],
    ],
  );
  clear();
  await pass();
  assert.is(counted.length, 2);
  await Effect.runPromise(Fiber.interrupt(fiber));
});

spec.run();

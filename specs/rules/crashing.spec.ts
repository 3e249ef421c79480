import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { type Crashes } from '../../rules/crashing.ts';
import { type DeploymentSeen, podsSeen, type StartingPod } from '../../rules/pods.ts';
import { isoTime } from '../../rules/time.ts';
import { suite } from '../support/suite.ts';

const spec = suite('copies that were available and crash');

const noon = Date.parse('2030-01-01T12:00:00Z');
const hour = 3_600_000;

const deployment = (wanted: number, available = wanted): DeploymentSeen => ({
  metadata: { name: 'web', generation: 1 },
  spec: { replicas: wanted },
  status: { observedGeneration: 1, replicas: wanted, updatedReplicas: wanted, availableReplicas: available },
});

interface Copy {
  readonly ends: number;
  /** For how long it has run (ms); null while it waits to be started again. */
  readonly runsForMs: number | null;
  readonly isReady?: boolean;
}

const podOf = ({ ends, runsForMs, isReady = runsForMs !== null }: Copy, index: number): StartingPod => ({
  metadata: { name: `web-${index}` },
  status: {
    phase: 'Running',
    conditions: isReady ? [{ type: 'Ready', status: 'True' }] : [],
    containerStatuses: [
      {
        name: 'app',
        restartCount: runsForMs === null ? ends - 1 : ends,
        state:
          runsForMs === null
            ? { waiting: { reason: 'CrashLoopBackOff' } }
            : { running: { startedAt: isoTime(noon - runsForMs) } },
        ...(ends === 0 ? {} : { lastState: { terminated: { exitCode: 1 } } }),
      },
    ],
  },
});

const crashes: Crashes = { now: noon, availableSince: noon - 24 * hour };
const seen = (copies: readonly Copy[], over: Partial<Crashes> = {}) =>
  podsSeen(deployment(copies.length), copies.map(podOf), { served: true, crashes: { ...crashes, ...over } });

spec('decision 165: a program that ended three times counts as failed until it has run for a minute', () => {
  assert.is(seen([{ ends: 3, runsForMs: 59_999 }]), 'failed');
  assert.is(seen([{ ends: 3, runsForMs: 60_000 }]), 'running');
  assert.is(seen([{ ends: 2, runsForMs: 6_000 }]), 'running');
  assert.is(seen([{ ends: 3, runsForMs: null }]), 'failed');
});

spec(
  'decision 165: a start is not slowed that is still an attempt, or that was available before it was seen again',
  () => {
    const pods = [{ ends: 5, runsForMs: 6_000 }].map(podOf);
    assert.is(podsSeen(deployment(1), pods, { available: 1 }), 'running', 'an attempt');
    assert.is(seen([{ ends: 5, runsForMs: 6_000 }], { availableSince: noon }), 'running');
    assert.is(seen([{ ends: 5, runsForMs: 6_000 }], { availableSince: noon - 6_001 }), 'failed');
  },
);

spec('SVC-044 a service with one copy that serves stays ready, however the others crash', () => {
  const steady = { ends: 0, runsForMs: hour };
  for (const runsForMs of [null, 0, 6_000, 59_000]) assert.is(seen([{ ends: 7, runsForMs }, steady]), 'running');
  assert.is(
    seen([
      { ends: 7, runsForMs: 6_000 },
      { ...steady, isReady: false },
    ]),
    'starting',
  );
});

spec('SVC-041a an end is seen by the pod before the Deployment counts one copy less', () => {
  assert.is(seen([{ ends: 2, runsForMs: null }]), 'failed');
  assert.is(seen([{ ends: 0, runsForMs: hour, isReady: false }]), 'starting');
  assert.is(podsSeen(deployment(1), [], { served: true, crashes }), 'running', 'pods that are not known hide nothing');
});

spec(
  'SVC-041a a program that was started after a pause counts as failed until it is available or runs for a minute',
  () => {
    const unavailable = (copy: Copy) =>
      podsSeen(deployment(1, 0), [copy].map(podOf), { served: true, available: null, crashes });
    assert.is(unavailable({ ends: 1, runsForMs: 3_000 }), 'starting');
    assert.is(unavailable({ ends: 2, runsForMs: 3_000 }), 'failed');
    assert.is(unavailable({ ends: 2, runsForMs: 60_000, isReady: false }), 'starting');
  },
);

spec('a clock that is set back or ahead by three hours leaves no program crashing that runs', () => {
  for (const now of [noon - 3 * hour, noon + 3 * hour])
    assert.is(seen([{ ends: 3, runsForMs: 6_000 }], { now }), 'running');
  assert.is(seen([{ ends: 3, runsForMs: 0 }], { now: noon - 5_000 }), 'failed', 'the clock of a node may be ahead');
});

spec('decision 165: once a program crashes, Ready moves at most once in a minute of its time', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1_000, max: 200_000 }), { minLength: 1, maxLength: 12 }), (runs) => {
      let at = 0;
      let ends = 3;
      const turns: number[] = [];
      let before = 'failed';
      for (const run of runs) {
        for (let ran = 0; ran < run; ran += 500) {
          const is = seen([{ ends, runsForMs: ran }]);
          if (is === 'running' && before !== 'running') turns.push(at + ran);
          before = is;
        }
        at += run;
        before = seen([{ ends: ++ends, runsForMs: null }]);
        assert.is(before, 'failed');
      }
      for (const [index, turn] of turns.entries()) assert.ok(turn - (turns[index - 1] ?? -60_000) >= 60_000);
    }),
    { numRuns: 50 },
  );
});

spec.run();

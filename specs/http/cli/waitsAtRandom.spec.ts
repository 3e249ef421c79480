import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { ApiFailure } from '../../../http/apiClient/failure.ts';
import type { Run } from '../../../http/cli/command.ts';
import { waitForDeploy } from '../../../http/cli/waits/deployWait.ts';
import { settle } from '../../../http/cli/waits/sleepSetting.ts';
import { suite } from '../../support/suite.ts';
import { statusOf } from './cases.ts';

const spec = suite('waits over a failing API');

/** What one read brings, and how long it takes. */
type Told =
  | { readonly is: 'found'; readonly status: ReturnType<typeof statusOf> }
  | { readonly is: 'refused'; readonly code: number }
  | { readonly is: 'silent' };
interface ReadAt {
  readonly told: Told;
  readonly takesMs: number;
  /** So far the clock of the machine is set meanwhile. */
  readonly jumpMs: number;
}

/** Runs a wait in time that only its own sleeps and reads move. */
async function performed<T>(reads: readonly ReadAt[], wait: (run: Run) => Promise<T>) {
  let now = 0;
  let wall = 1_000_000;
  const begun: number[] = [];
  const done: { readonly at: number; readonly told: Told }[] = [];
  const lines: string[] = [];
  const ask = (_method: string, _path: string, { timeoutMs = 0 } = {}) => {
    begun.push(now);
    if (begun.length > 1_000) throw new Error('it reads for ever');
    const read = reads[Math.min(done.length, reads.length - 1)] ?? { told: { is: 'silent' }, takesMs: 0, jumpMs: 0 };
    const isCutOff = read.takesMs > timeoutMs;
    now += Math.min(read.takesMs, timeoutMs);
    wall += read.jumpMs;
    const told: Told = isCutOff ? { is: 'silent' } : read.told;
    done.push({ at: now, told });
    if (told.is === 'found') return Promise.resolve(told.status);
    return Promise.reject(told.is === 'silent' ? new ApiFailure('no answer') : new ApiFailure('no', told.code));
  };
  const run = {
    client: () => ({ ask }),
    note: (line: string) => Promise.resolve(void lines.push(line)),
    io: {
      clock: {
        now: () => wall,
        monotonic: () => now,
        sleep: (ms: number) => {
          now += ms;
          return Promise.resolve();
        },
      },
      catchInterrupt: () => ({ signal: new AbortController().signal, release: () => {} }),
    },
  } as unknown as Run;
  return { ended: await wait(run), now: () => now, begun, done, lines };
}

const found = (fields: object): Told => ({ is: 'found', status: statusOf('web', fields) });
const phases = ['Pending', 'WaitingForCI', 'Running', 'Succeeded', 'Failed', 'Cancelled'] as const;
const statuses = fc
  .record({
    state: fc.constantFrom('ready', 'pending', 'pending', 'failed', 'draft', 'deleting'),
    ready: fc.boolean(),
    pendingChanges: fc.boolean(),
    build: fc.option(fc.constantFrom(...phases).map((phase) => ({ phase, failureReason: 'why' }))),
    replicas: fc.option(fc.constant({ desired: 2, ready: 1, available: 1 })),
  })
  .map(found);
const transient = fc.constantFrom<Told>(
  { is: 'silent' },
  ...[500, 502, 503, 408, 429].map((code) => ({ is: 'refused', code }) as const),
);
const final = fc.constantFrom(301, 400, 401, 403, 404, 409, 413).map((code): Told => ({ is: 'refused', code }));
const pending = fc.constant(found({ state: 'pending', ready: false }));
const reads = (told: fc.Arbitrary<Told>) =>
  fc.array(
    fc.record({
      told,
      takesMs: fc.constantFrom(0, 1, 200, 2_999, 31_000, 3_600_000),
      jumpMs: fc.constantFrom(0, 0, 3_600_000, -86_400_000),
    }),
    { minLength: 1, maxLength: 12 },
  );
const anyRead = reads(
  fc.oneof({ weight: 6, arbitrary: pending }, { weight: 3, arbitrary: transient }, statuses, {
    weight: 1,
    arbitrary: final,
  }),
);

const isFinal = (code: number) => code < 500 && code !== 408 && code !== 429;

/** How one answer ends a wait, transcribed from document 002; null where it goes on. */
function endOf(told: Told): number | null {
  if (told.is === 'silent') return null;
  if (told.is === 'refused') return isFinal(told.code) ? ({ 404: 3, 401: 4, 403: 4 }[told.code] ?? 1) : null;
  const { state, ready, pendingChanges, build } = told.status as {
    state: string;
    ready: boolean;
    pendingChanges: boolean;
    build: { phase: string } | null;
  };
  if (ready && !pendingChanges && (build === null || build.phase === 'Succeeded')) return 0;
  return state === 'failed' || build?.phase === 'Failed' ? 5 : null;
}

const never = { signal: new AbortController().signal, release: () => {} };

spec(
  'CLI-267 CLI-270 CLI-271 CLI-272 CLI-273 CLI-274 a wait ends exactly at the first final answer or at its timeout, for any answers',
  async () => {
    const codes = new Set<number>();
    await fc.assert(
      fc.asyncProperty(anyRead, fc.constantFrom(1_000, 9_000, 60_000, null), async (given, timeoutMs) => {
        const awaited = { app: 'web', named: true, listed: 'pending', timeoutMs } as const;
        const { ended, now, begun, done, lines } = await performed(given, (run) => waitForDeploy(run, awaited, never));
        const deadline = timeoutMs ?? 600_000;
        const ends = done.map(({ at, told }) => endOf(told) ?? (at >= deadline ? 6 : null));
        assert.is(ended.exit, ends.at(-1), JSON.stringify(done));
        assert.equal(
          ends.slice(0, -1).filter((end) => end !== null),
          [],
          'it went on after its end',
        );
        assert.ok(now() <= deadline + 500, `it ended at ${now()}`);
        for (const [index, at] of begun.entries()) assert.ok(at - (done[index - 1]?.at ?? 0) <= 3_000);
        for (const [index, line] of lines.entries()) assert.is.not(line, lines[index - 1]);
        codes.add(ended.exit);
      }),
      { numRuns: 1_500 },
    );
    assert.equal(
      [...codes].toSorted((a, b) => a - b),
      [0, 1, 3, 4, 5, 6],
    );
  },
);

const sleeps = fc
  .option(fc.boolean(), { nil: undefined })
  .map((active) =>
    found({ scaleToZero: { idleSeconds: 300, ...(active === undefined ? {} : { active, message: 'why' }) } }),
  );
const anySleep = reads(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(found({ scaleToZero: {} })) },
    { weight: 2, arbitrary: transient },
    sleeps,
    final,
  ),
);

function sleepEndOf(told: Told): number | null {
  if (told.is === 'refused') return isFinal(told.code) ? ({ 404: 3, 401: 4, 403: 4 }[told.code] ?? 1) : null;
  const active = told.is === 'found' ? (told.status.scaleToZero as { active?: boolean }).active : undefined;
  return active === undefined ? null : active ? 0 : 1;
}

spec(
  'CLI-202 CLI-275 CLI-276 CLI-277 scale --sleep-after waits ten seconds and reports the answer of the cluster, for any answers',
  async () => {
    const codes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(anySleep, async (given) => {
        const { ended, now, done } = await performed(given, (run) =>
          settle(run, 'web', { is: 'sleepAfter', ms: 300_000 }),
        );
        const ends = done.map(({ at, told }) => sleepEndOf(told) ?? (at >= 10_000 ? 1 : null));
        assert.is(ended.exit, ends.at(-1), JSON.stringify(done));
        assert.equal(
          ends.slice(0, -1).filter((end) => end !== null),
          [],
        );
        assert.ok(now() <= 10_500);
        const isAsleepMessage = /^web sleeps after 5m without requests$/.test(ended.text);
        assert.is(isAsleepMessage, ended.exit === 0);
        codes.add(`${ended.exit} ${/cannot sleep|not said|not known|sleeps/.exec(ended.text)?.[0]}`);
      }),
      { numRuns: 1_000 },
    );
    assert.equal([...codes].toSorted(), [
      '0 sleeps',
      '1 cannot sleep',
      '1 not known',
      '1 not said',
      '3 not known',
      '4 not known',
    ]);
  },
);

spec.run();

import * as fc from 'fast-check';
import { known, unasked, unknown } from '../../../rules/fact.ts';
import type { AttachAsked } from '../../../rules/consoleSession/attach.ts';
import type { CreateAsked } from '../../../rules/consoleSession/create.ts';
import type { ConsoleSessionFacts } from '../../../rules/consoleSession/facts.ts';

const startedAt = 1_790_000_000_000;
const asked = fc.constantFrom<ConsoleSessionFacts['asked']>(
  { is: 'create' },
  { is: 'attach', holder: 'a process', actor: 'somebody' },
  { is: 'attach', holder: 'a process', actor: 'somebody' },
  { is: 'endTerminal', holder: 'a process' },
  { is: 'endStream', holder: 'a process' },
  null,
  null,
);
const callers = ['admin', 'viewer', 'observer', 'projectToken'] as const;
const pods = ['noneRuns', 'notRunning', 'foreign', 'running'] as const;
const words = fc.constantFrom(0, 1, 2, 7, 8, 9, 50);
const waited = fc.constantFrom(0, 1, 9_999, 10_000, 10_001, 60_000);

const create = fc.record<CreateAsked>({
  caller: fc.oneof({ weight: 3, arbitrary: fc.constant('admin') }, fc.constantFrom(...callers)),
  targetNamed: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.boolean()),
  pod: fc.oneof({ weight: 2, arbitrary: fc.constant('running') }, fc.constantFrom(...pods)),
  commandWords: words,
});

/** The facts of the verdict on a creation. */
export const createFacts: fc.Arbitrary<CreateAsked> = create;

/** The facts of the verdict on an attach. */
export const attachFacts: fc.Arbitrary<AttachAsked> = fc.record({
  session: fc.constantFrom('absent', 'pending', 'active', 'unfit', 'attached', 'ended'),
  byCookie: fc.boolean(),
  originMatches: fc.boolean(),
  attachWaitedMs: waited,
});

/** The clock is around the actual limit, and around those of 300 s, 899 s, 900 s and 901 s. */
const times = fc
  .record({
    timeoutSeconds: fc.constantFrom(null, -1, 0, 1, 2, 299, 300, 301, 899, 900, 901, 3_600),
    started: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false)),
    around: fc.constantFrom(0, 1, 2, 300, 899, 900, 901, 3_600),
    own: fc.boolean(),
    ahead: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.constantFrom(60, 3_600)),
    off: fc.constantFrom(-1_000, -1, 0, 1, 1_000),
  })
  .map(({ timeoutSeconds, started, around, own, ahead, off }) => ({
    timeoutSeconds,
    startedAt: started ? startedAt : null,
    now: startedAt + (ahead > 0 ? -ahead : own ? (timeoutSeconds ?? 300) : around) * 1_000 + off,
  }));

/** Known facts. */
export const facts: fc.Arbitrary<ConsoleSessionFacts> = fc
  .tuple(
    times,
    create,
    fc.record({
      asked,
      byCookie: fc.boolean(),
      originMatches: fc.boolean(),
      attachWaitedMs: waited,
      isHolder: fc.boolean(),
      holder: fc.constantFrom(known('alive' as const), known('dead' as const)),
      target: fc.constantFrom(known('fit' as const), known('unfit' as const)),
    }),
  )
  .map(([time, creation, rest]) => ({ ...time, ...creation, ...rest }));

const oddNumber = fc.constantFrom(Number.NaN, Infinity, -Infinity, -1, 0, 1e300);
const oddText = fc.constantFrom('', 'ADMIN', 'x'.repeat(10_000));

/** Invalid facts. */
export const invalid: fc.Arbitrary<ConsoleSessionFacts> = fc
  .tuple(
    facts,
    fc.record(
      {
        now: oddNumber,
        timeoutSeconds: oddNumber,
        startedAt: oddNumber,
        commandWords: oddNumber,
        attachWaitedMs: oddNumber,
        caller: oddText,
        pod: oddText,
        asked: oddText,
        holder: fc.constantFrom(unasked, unknown('the lease could not be read')),
        target: fc.constantFrom(unasked, unknown('the pod could not be read')),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([sound, odd]) => ({ ...sound, ...odd }) as ConsoleSessionFacts);

import * as fc from 'fast-check';
import type { Decider, DeviceAsked, DeviceSignInFacts } from '../../../rules/deviceSignIn/facts.ts';

const decider: fc.Arbitrary<Decider> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Decider>({ with: 'session', role: 'admin' }) },
  fc.record({
    with: fc.constantFrom<Decider['with']>('session', 'token'),
    role: fc.constantFrom<Decider['role']>('admin', 'observer', 'viewer'),
  }),
);

const days = [6, 7, 8, 29, 30, 31, 89, 90, 91] as const;

const asking: fc.Arbitrary<DeviceAsked | null> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<DeviceAsked>({ is: 'start' }) },
  { weight: 2, arbitrary: fc.constant<DeviceAsked>({ is: 'poll' }) },
  {
    weight: 3,
    arbitrary: fc.record({
      is: fc.constant('approve' as const),
      by: decider,
      access: fc.constantFrom(null, 'admin', 'observer', 'viewer', 'owner', ''),
      lifetimeDays: fc.constantFrom(...days),
    }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('refuse' as const), by: decider }) },
  { weight: 1, arbitrary: fc.constant<DeviceAsked>({ is: 'giveWay' }) },
  { weight: 1, arbitrary: fc.constant(null) },
);

const around = (...edges: readonly number[]) => fc.constantFrom(...edges.flatMap((edge) => [edge - 1, edge, edge + 1]));

/**
 * How much earlier than the interval the last poll came, or that it came now, or by a clock that was set back since.
 */
type SincePoll = number | 'ahead' | 'now' | null;

/** Every boundary of a request's life, of the pace of its polls and of the possible choices. */
export const deviceSignInFacts: fc.Arbitrary<DeviceSignInFacts> = fc
  .record({
    now: fc.constantFrom(1_700_000_000_000, 1_700_000_123_456),
    asked: asking,
    pending: fc.oneof(fc.constant(0), around(100)),
    mayGiveWay: fc.boolean(),
    startsOfAddress: fc.oneof(fc.constant(0), around(10)),
    age: fc.oneof(fc.constantFrom(0, 5_000, -1), around(600_000, 1_200_000)),
    sincePoll: fc.constantFrom<SincePoll[]>(null, 0, -1, 1, 'ahead', 'now'),
    intervalMs: fc.constantFrom(5_000, 10_000, 15_000),
  })
  .map(({ age, sincePoll, ...facts }) => ({
    ...facts,
    issuedAt: facts.now - age,
    lastPollAt: lastPollAt(facts, sincePoll),
  }));

function lastPollAt(
  { now, intervalMs }: Pick<DeviceSignInFacts, 'now' | 'intervalMs'>,
  since: SincePoll,
): number | null {
  if (since === null) return null;
  if (since === 'now') return now;
  return since === 'ahead' ? now + 1 : now - intervalMs - since;
}

const wild = fc.oneof(fc.double(), fc.constantFrom(0, -1, Number.NaN, Number.POSITIVE_INFINITY));

/** Invalid facts. */
export const invalidDeviceSignInFacts: fc.Arbitrary<DeviceSignInFacts> = fc.record({
  now: wild,
  asked: fc.oneof(
    asking,
    fc.record({ is: fc.constant('approve' as const), by: decider, access: fc.string(), lifetimeDays: wild }),
  ),
  pending: wild,
  mayGiveWay: fc.boolean(),
  startsOfAddress: wild,
  issuedAt: wild,
  lastPollAt: fc.option(wild),
  intervalMs: wild,
});

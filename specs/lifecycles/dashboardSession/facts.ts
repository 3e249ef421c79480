import * as fc from 'fast-check';
import type { DashboardSessionFacts, UserSeen } from '../../../rules/dashboardSession/facts.ts';
import { type Fact, known, unasked, unknown } from '../../../rules/fact.ts';

const now = 1_700_000_000_000;
const twelveHours = 43_200_000;
const role = fc.constantFrom<DashboardSessionFacts['role'][]>('admin', 'viewer');
const asked = fc.constantFrom<DashboardSessionFacts['asked'][]>('signIn', 'request', 'request', 'signOut', null);

const user: fc.Arbitrary<UserSeen> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<UserSeen>({ is: 'absent' }) },
  {
    weight: 4,
    arbitrary: fc.record({ is: fc.constant('present' as const), role, epoch: fc.constantFrom(2, 2, 2, 3, 1) }),
  },
);

/** Every boundary of a session's 12 hours, and every possible change of its user. */
export const dashboardSessionFacts: fc.Arbitrary<DashboardSessionFacts> = fc.record({
  now: fc.constant(now),
  asked,
  nameLocked: fc.boolean(),
  passwordRight: fc.boolean().map(known),
  signedInAt: fc
    .constantFrom(0, 1, twelveHours - 1, twelveHours, twelveHours + 1, -299_999, -300_000, -300_001)
    .map((age) => now - age),
  role,
  epoch: fc.constant(2),
  user,
});

const wild = fc.oneof(fc.double(), fc.constantFrom(0, -1, Number.NaN, Number.POSITIVE_INFINITY));

/** Invalid facts, and a hash that was not or could not be computed. */
export const invalidDashboardSessionFacts: fc.Arbitrary<DashboardSessionFacts> = fc.record({
  now: wild,
  asked,
  nameLocked: fc.boolean(),
  passwordRight: fc.oneof<fc.Arbitrary<Fact<boolean>>[]>(
    fc.boolean().map(known),
    fc.constant(unasked),
    fc.string().map(unknown),
  ),
  signedInAt: wild,
  role,
  epoch: wild,
  user: fc.oneof(user, fc.record({ is: fc.constant('present' as const), role, epoch: wild })),
});

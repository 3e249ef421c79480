import * as fc from 'fast-check';
import type { Decider } from '../../../rules/deviceSignIn/facts.ts';
import type { AccessSeen } from '../../../rules/token/access.ts';
import type { TokenAsked, TokenFacts } from '../../../rules/token/facts.ts';

/** 29 February 2024 and an ordinary day; ten years later it is 1 March 2034 and the same day. */
const times = [
  { now: 1_709_208_000_000, tenYearsOn: 2_024_827_200_000 },
  { now: 1_700_000_000_000, tenYearsOn: 2_015_619_200_000 },
] as const;

const asker: fc.Arbitrary<Decider> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Decider>({ with: 'session', role: 'admin' }) },
  fc.record({
    with: fc.constantFrom<Decider['with'][]>('session', 'token'),
    role: fc.constantFrom<Decider['role'][]>('admin', 'observer', 'viewer'),
  }),
);
const days = fc.constantFrom(6, 7, 8, 29, 30, 31, 89, 90, 91);
const project = fc.constantFrom('shop', 'blog');
const environment = fc.constantFrom('production', 'staging');

const askedAt = (expiries: fc.Arbitrary<number | null>): fc.Arbitrary<TokenAsked | null> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ is: fc.constant('create' as const), by: asker, expiresAt: expiries }) },
    { weight: 2, arbitrary: fc.record({ is: fc.constant('collect' as const), lifetimeDays: days }) },
    { weight: 3, arbitrary: fc.record({ is: fc.constant('use' as const), secretRight: fc.boolean() }) },
    { weight: 3, arbitrary: fc.record({ is: fc.constant('revoke' as const), by: asker }) },
    { weight: 1, arbitrary: fc.record({ is: fc.constant('deleteProject' as const), project }) },
    { weight: 1, arbitrary: fc.record({ is: fc.constant('deleteEnvironment' as const), project, environment }) },
    { weight: 1, arbitrary: fc.constant(null) },
  );

/** Every boundary of a token's expiry, of its recorded use and of the possible requests. */
export const tokenFacts: fc.Arbitrary<TokenFacts> = fc.constantFrom(...times).chain(({ now, tenYearsOn }) =>
  fc.record({
    now: fc.constant(now),
    asked: askedAt(fc.constantFrom(null, now - 1, now, now + 1, tenYearsOn - 1, tenYearsOn, tenYearsOn + 1)),
    project: fc.oneof(fc.constant(null), project),
    environment: fc.oneof(fc.constant(null), environment),
    expiresAt: fc.constantFrom(null, null, now - 1, now, now + 1),
    lastUsedAt: fc.constantFrom(null, now, now - 599_999, now - 600_000, now - 600_001, now + 599_999, now + 600_000),
  }),
);

const wild = fc.oneof(fc.double(), fc.constantFrom(0, -1, Number.NaN, Number.POSITIVE_INFINITY, 8.64e15, 2.6e14));

/** Invalid facts. */
export const invalidTokenFacts: fc.Arbitrary<TokenFacts> = fc.record({
  now: wild,
  asked: fc.oneof(
    askedAt(fc.option(wild)),
    fc.record({ is: fc.constant('collect' as const), lifetimeDays: wild }),
    fc.record({ is: fc.constant('deleteProject' as const), project: fc.string() }),
    fc.record({ is: fc.constant('deleteEnvironment' as const), project: fc.string(), environment: fc.string() }),
  ),
  project: fc.option(fc.string()),
  environment: fc.option(fc.string()),
  expiresAt: fc.option(wild),
  lastUsedAt: fc.option(wild),
});

/** Every role, for the workspace and for a project. */
export const accesses: fc.Arbitrary<AccessSeen> = fc.record({
  role: fc.constantFrom<AccessSeen['role'][]>('admin', 'observer', 'viewer'),
  scope: fc.option(fc.record({ project, environment })),
});

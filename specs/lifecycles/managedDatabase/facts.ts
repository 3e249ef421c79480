import * as fc from 'fast-check';
import { known } from '../../../rules/fact.ts';
import type { LoginSeen, ManagedDatabaseFacts, ProviderSeen } from '../../../rules/managedDatabase/facts.ts';
import type { ManagedSeen } from '../../../rules/managedDatabase/message.ts';
import { perhaps } from '../../support/facts.ts';
import { oftenBy } from '../provision/facts.ts';

const halfHour = 30 * 60 * 1000;
const startedAt = 1_700_000_000_000;

const often = oftenBy(3);

const engine = fc.constantFrom('MySQL', 'Postgres', 'MySQL', 'Postgres', 'Redis', 'SQLite');
const sinceFailure = fc.constantFrom(null, 0, 29_999, 30_000, 30_001);
const waited = fc.constantFrom(0, 1, halfHour - 1, halfHour, halfHour + 1, 10 * halfHour);
const kind = fc.constantFrom('mysql', 'postgresql');

const provider: fc.Arbitrary<ProviderSeen> = fc.oneof(
  fc.constant({ is: 'absent' } as const),
  fc.record({ is: fc.constant('found' as const), kind, ready: fc.boolean() }),
  fc.record({ is: fc.constant('found' as const), kind, ready: fc.boolean() }),
  fc.constant({ is: 'failed', why: 'HTTP 503', counts: 'waiting' } as const),
  fc.constant({ is: 'failed', why: 'HTTP 429', counts: 'waiting', until: startedAt + 90_000 } as const),
);
const login = often<LoginSeen>(
  { is: 'none' },
  { is: 'live' },
  {
    is: 'failed',
    why: 'timeout',
    counts: 'waiting',
  },
);
const failed = often<ManagedDatabaseFacts['failed']>(
  null,
  { at: 'create', why: 'quota' },
  { at: 'issue', why: 'HTTP 500' },
  { at: 'store', why: 'forbidden' },
  { at: 'revoke', why: 'HTTP 503' },
);

const plain = {
  wanted: often<ManagedDatabaseFacts['wanted']>('wanted', 'unwanted', 'deleting'),
  heldBack: often<ManagedDatabaseFacts['heldBack']>('no', 'givenUp', 'hindered'),
  name: fc.constantFrom('shop', 'shop-db'),
  generation: fc.constantFrom(1, 2),
  refusedGeneration: fc.constantFrom(1, 2, null),
  claimed: fc.boolean(),
  passwordHeld: fc.boolean(),
};

/** Known facts. */
export const facts: fc.Arbitrary<ManagedDatabaseFacts> = fc
  .record({
    ...plain,
    engine,
    failed,
    waited,
    sinceFailure,
    started: often(true, false),
    provider: provider.map(known),
    login: login.map(known),
    connection: fc.constantFrom('absent' as const, 'present' as const).map(known),
  })
  .map(({ waited: waitedMs, sinceFailure: failedAgo, started, ...rest }) => ({
    ...rest,
    now: startedAt + waitedMs,
    startedAt: started ? startedAt : null,
    storeFailedAt: failedAgo === null ? null : startedAt + waitedMs - failedAgo,
  }));

const number = fc.constantFrom(0, -1, Number.NaN, Number.MAX_SAFE_INTEGER, startedAt);
const text = fc.constantFrom('', 'mysql', 'POSTGRES', '__proto__', 'x'.repeat(10_000));

/** Invalid facts. */
export const invalid: fc.Arbitrary<ManagedDatabaseFacts> = fc.record({
  ...plain,
  now: number,
  startedAt: fc.option(number),
  storeFailedAt: fc.option(number),
  generation: number,
  refusedGeneration: fc.option(number),
  engine: fc.oneof(engine, text),
  name: text,
  failed,
  provider: perhaps(
    fc.oneof(provider, fc.record({ is: fc.constant('found' as const), kind: text, ready: fc.boolean() })),
  ),
  login: perhaps(login),
  connection: perhaps(fc.constantFrom('absent' as const, 'present' as const)),
});

/** The facts of the message about a managed database. */
export const seen: fc.Arbitrary<ManagedSeen> = fc.record({
  engine,
  name: fc.constantFrom('shop', 'shop-db'),
  stored: often(false, true),
  failure: often('', 'HTTP 503'),
  weight: fc.constantFrom('waiting' as const, 'counted' as const, 'permanent' as const),
  found: fc.constantFrom('', 'mysql', 'postgresql'),
  ready: fc.boolean(),
  storeFailed: often(false, true),
  waitedMs: waited,
});

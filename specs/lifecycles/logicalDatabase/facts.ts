import * as fc from 'fast-check';
import { known } from '../../../rules/fact.ts';
import type { LogicalDatabaseStanding } from '../../../rules/logicalDatabase/ready.ts';
import type { RetrySeen } from '../../../rules/provisionRetry/facts.ts';
import type {
  CreateJobSeen,
  DropJobSeen,
  LogicalDatabaseFacts,
  LogicalDatabaseObserved,
  ProjectSeen,
  ServerSeen,
} from '../../../rules/logicalDatabase/facts.ts';
import { perhaps } from '../../support/facts.ts';

const now = Date.UTC(2026, 6, 1);
const threeMinutes = 180_000;
const around = (edge: number) => [edge - 1, edge, edge + 1];

/** Mostly the usual value, so that later checks are covered; sometimes any other. */
const mostly = <T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });

const projectSeen: fc.Arbitrary<ProjectSeen> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      is: fc.constant('fine'),
      region: mostly('eu', '', 'us'),
      requiredTags: mostly<readonly string[]>([], ['gpu'], ['gpu', 'gdpr']),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<ProjectSeen>({ is: 'absent' }, { is: 'notReady' }, { is: 'withoutEnvironment' }),
  },
);
const server: fc.Arbitrary<ServerSeen> = fc.oneof(
  {
    weight: 16,
    arbitrary: fc.record({
      is: fc.constant('found'),
      ready: mostly(true, false),
      owner: fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom('here', 'shared') },
        { weight: 1, arbitrary: fc.constant('elsewhere') },
      ) satisfies fc.Arbitrary<string>,
      engine: fc.oneof(
        { weight: 12, arbitrary: fc.constantFrom('Postgres', 'MySQL') },
        { weight: 1, arbitrary: fc.constantFrom('SQLite', 'Redis', 'postgres') },
      ),
      external: mostly(false, true),
      hasConnection: mostly(true, false),
      region: mostly('eu', '', 'us'),
      placedOn: fc.constantFrom(['gpu', 'gdpr'], ['gpu'], [], null),
    }),
  },
  { weight: 1, arbitrary: fc.constant<ServerSeen>({ is: 'absent' }) },
);
const failures: readonly LogicalDatabaseObserved['failure'][] = [
  { counts: 'permanent', why: 'access denied' },
  { counts: 'counted', why: 'it failed' },
  { counts: 'waiting', why: 'not yet' },
];
const job = fc.constantFrom<CreateJobSeen>('absent', 'other', 'running', 'succeeded', 'failed', 'taken');

const observed = {
  project: fc.constantFrom('shop', 'a"b'),
  environment: fc.constant('production'),
  projectSeen,
  serverName: fc.constantFrom('main', 'shared-1'),
  server,
  databaseName: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom('app', '_App_2', 'X', 'x'.repeat(63)) },
    { weight: 2, arbitrary: fc.constantFrom('', '2app', 'my-app', 'app\n', 'äpp', 'app;drop', 'x'.repeat(64)) },
  ),
  movedFrom: mostly('', 'shop_production_old'),
  heldByOther: mostly(false, true),
  created: fc.boolean(),
  connection: mostly(true, false),
  adminLogin: mostly(true, false),
  job,
  connected: fc.boolean(),
  contested: mostly<readonly string[]>([], ['Secret shop-production/a-connection keeps being overwritten']),
  failure: mostly<LogicalDatabaseObserved['failure']>(null, ...failures),
} satisfies { readonly [F in keyof LogicalDatabaseObserved]: fc.Arbitrary<LogicalDatabaseObserved[F]> };

const retry: fc.Arbitrary<RetrySeen> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<RetrySeen>({ state: 'Clean', event: null }) },
  {
    weight: 6,
    arbitrary: fc.constantFrom<RetrySeen>(
      { state: 'Counting', event: 'rowBegan' },
      { state: 'Counting', event: 'failureCounted' },
      { state: 'Counting', event: 'failureRepeated' },
      { state: 'Clean', event: 'generationChanged' },
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom<RetrySeen>(
      { state: 'ProvisionFailed', event: 'limitReached' },
      { state: 'ProvisionFailed', event: 'timeRanOut' },
      { state: 'ProvisionFailed', event: 'permanentlyFailed' },
      { state: 'ProvisionFailed', event: 'stayedFailed' },
      { state: 'ProvisionFailed', event: null },
    ),
  },
);
const dropJob = fc.constantFrom<DropJobSeen>('absent', 'other', 'running', 'succeeded', 'failed');

/** Logical databases at every check and every limit. */
export const facts: fc.Arbitrary<LogicalDatabaseFacts> = fc.record({
  now: fc.constant(now),
  asked: mostly<'create' | null>(null, 'create'),
  deletedAt: mostly<number | null>(null, now, ...around(now - threeMinutes)),
  retry,
  attempt: mostly<string | null>('2', null),
  finalizer: mostly(true, false),
  around: fc.record(observed).map(known),
  createJobLeft: mostly(false, true).map(known),
  dropJob: dropJob.map((each) => known(each)),
});

/** The facts of the Ready condition. */
export const seen: fc.Arbitrary<LogicalDatabaseStanding> = fc.record({
  ...observed,
  retrying: mostly(false, true),
  leaving: mostly<LogicalDatabaseStanding['leaving']>(null, 'deletion'),
  gaveUp: mostly<LogicalDatabaseStanding['gaveUp']>(
    null,
    { by: 'failures' },
    { by: 'permanentError', why: { text: 'database creation Job failed' } },
  ),
});

const invalidNumber = fc.constantFrom(NaN, Infinity, -1, 0, Number.MAX_VALUE);
const invalidText = fc.constantFrom('', '__proto__', 'POSTGRES', 'x'.repeat(10_000));

/** Invalid facts. */
export const invalid: fc.Arbitrary<LogicalDatabaseFacts> = fc.record({
  now: invalidNumber,
  asked: mostly<'create' | null>(null, 'create'),
  deletedAt: fc.option(invalidNumber),
  retry,
  attempt: fc.option(invalidText),
  finalizer: fc.boolean(),
  around: perhaps(
    fc.record({
      ...observed,
      project: invalidText,
      environment: invalidText,
      serverName: invalidText,
      databaseName: invalidText,
      job: fc.oneof(job, fc.constant('lost' as 'absent')),
    }),
  ),
  createJobLeft: perhaps(fc.boolean()),
  dropJob: perhaps(fc.constantFrom('absent', 'succeeded', 'Succeeded' as 'succeeded')),
});

import * as fc from 'fast-check';
import { type Fact, known, unasked, unknown } from '../../../rules/fact.ts';
import type {
  CreateJobSeen,
  JobOutcome,
  LogicalDatabaseFacts,
  LogicalDatabaseSeen,
  ProjectSeen,
  ServerSeen,
} from '../../../rules/logicalDatabase/facts.ts';

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
      hasConnection: mostly(true, false),
      region: mostly('eu', '', 'us'),
      placedOn: fc.constantFrom(['gpu', 'gdpr'], ['gpu'], [], null),
    }),
  },
  { weight: 1, arbitrary: fc.constant<ServerSeen>({ is: 'absent' }) },
);
const named = {
  project: fc.constantFrom('shop', 'a"b'),
  environment: fc.constant('production'),
  projectSeen,
  serverName: fc.constantFrom('main', 'shared-1'),
  server,
  databaseName: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom('app', '_App_2', 'X') },
    { weight: 1, arbitrary: fc.constantFrom('', '2app', 'my-app', 'app\n', 'äpp', 'app;drop') },
  ),
};

const outcome = fc.constantFrom<JobOutcome>('running', 'succeeded', 'failed', 'taken');
const job: fc.Arbitrary<CreateJobSeen> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<CreateJobSeen>({ is: 'absent' }) },
  {
    weight: 5,
    arbitrary: fc.record({ is: fc.constant('present'), attempt: mostly('2', '1'), outcome }),
  },
);
const retry = fc.record({
  failures: fc.constantFrom(0, 1, 3, 4, 5),
  startedAt: fc.constantFrom(null, now, ...around(now - threeMinutes)),
  generation: mostly(3, 2),
});

/** Logical databases at every check and every limit. */
export const facts: fc.Arbitrary<LogicalDatabaseFacts> = fc.record({
  ...named,
  created: mostly(false, true),
  asked: mostly<'retry' | null>(null, 'retry'),
  now: fc.constant(now),
  generation: fc.constant(3),
  retry,
  attempt: mostly<string | null>('2', null),
  finalizer: mostly(true, false),
  deletingSince: mostly<number | null>(null, now, ...around(now - threeMinutes)),
  connection: mostly(true, false).map(known),
  adminLogin: mostly(true, false).map(known),
  job: job.map(known),
  dropJob: fc.constantFrom('absent', 'running', 'succeeded', 'failed').map((each) => known(each)),
});

/** The facts of the Ready condition. */
export const seen: fc.Arbitrary<LogicalDatabaseSeen> = fc.record({
  ...named,
  created: mostly(false, true),
  connection: mostly(true, false),
  adminLogin: mostly(true, false),
  job: fc.oneof(fc.constant('absent' as const), outcome, outcome, outcome),
  moved: mostly<LogicalDatabaseSeen['moved']>('otherwise', 'gaveUp', 'retried'),
});

const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Fact<T>> =>
  fc.oneof(fc.constant(unasked), fc.constant(unknown('timed out')), value.map(known));
const hostileNumber = fc.constantFrom(NaN, Infinity, -1, 0, Number.MAX_VALUE);
const hostileText = fc.constantFrom('', '__proto__', 'POSTGRES', 'x'.repeat(10_000));

/** Invalid facts. */
export const hostile: fc.Arbitrary<LogicalDatabaseFacts> = fc.record({
  ...named,
  project: hostileText,
  environment: hostileText,
  serverName: hostileText,
  databaseName: hostileText,
  created: fc.boolean(),
  asked: mostly<'retry' | null>(null, 'retry'),
  now: hostileNumber,
  generation: hostileNumber,
  retry: fc.record({ failures: hostileNumber, startedAt: fc.option(hostileNumber), generation: hostileNumber }),
  attempt: fc.option(hostileText),
  finalizer: fc.boolean(),
  deletingSince: fc.option(hostileNumber),
  connection: maybe(fc.boolean()),
  adminLogin: maybe(fc.boolean()),
  job: maybe(fc.oneof(job, fc.constant({ is: 'lost' } as unknown as CreateJobSeen))),
  dropJob: maybe(fc.constantFrom('absent', 'succeeded', 'Succeeded' as 'succeeded')),
});

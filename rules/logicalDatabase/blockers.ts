import type { LogicalDatabaseEvent } from '../../machines/names.ts';
import { byJob } from '../cause/job.ts';
import { firstOf, itself, waitsFor } from '../cause/rule.ts';
import { environmentMissing, projectMissing, projectNotReady } from '../project/missing.ts';
import {
  applied,
  awaited,
  counted,
  failedInPass,
  type Blocker as BlockerOf,
  blockerAmong,
  permanent,
} from '../provision/blockers.ts';
import { closed, hidden, open, sentence, toViewers } from '../words.ts';
import { byAdminSecret, byServerWaitedFor, projectOf, serverOf } from './causes.ts';
import type { LogicalDatabaseObserved, ProjectSeen, ServerSeen } from './facts.ts';
import { longestDatabaseName } from './names.ts';

type Seen = LogicalDatabaseObserved;

/** Why a logical database is not ready; a wait has its own event. */
type Blocker = BlockerOf<Seen> & { readonly event?: LogicalDatabaseEvent['type'] };

const waiting = (
  event: LogicalDatabaseEvent['type'],
  words: Parameters<typeof awaited<Seen>>[0],
  after: (blocker: BlockerOf<Seen>) => BlockerOf<Seen> = (blocker) => blocker,
): Blocker => ({ ...after(awaited(words)), event });

type FoundServer = Extract<ServerSeen, { readonly is: 'found' }>;
type Fine = Extract<ProjectSeen, { readonly is: 'fine' }>;

const onServer =
  (holds: (server: FoundServer) => boolean) =>
  ({ server }: Seen) =>
    server.is === 'found' && holds(server);
const onBoth =
  <T>(of: (server: FoundServer, project: Fine) => T, otherwise: T) =>
  ({ server, projectSeen }: Seen): T =>
    server.is === 'found' && projectSeen.is === 'fine' ? of(server, projectSeen) : otherwise;

const regions = onBoth(({ region }, project) => [region, project.region] as const, ['', ''] as const);
function regionsDiffer(seen: Seen): boolean {
  const [server, project] = regions(seen);
  return server !== '' && project !== '' && server !== project;
}

/** Only a shared server may lack the project's tags; one without a recorded placement may run anywhere. */
const missingTags = onBoth<readonly string[]>(
  ({ owner, placedOn }, { requiredTags }) =>
    owner === 'shared' ? requiredTags.filter((tag) => !placedOn?.includes(tag)) : [],
  [],
);

export const logicalEngines: readonly string[] = ['Postgres', 'MySQL'];
export const isLogicalName = (name: string): boolean => /^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name);
/** Whether the name is too long; on a shared server it is shortened. */
const isTooLong = ({ server, databaseName }: Seen) =>
  server.is === 'found' && server.owner === 'here' && databaseName.length > longestDatabaseName;

/** The messages shared with the refusals of the API. */
export const logicalMessage = {
  engine: closed('logical databases require a Postgres or MySQL server'),
  name: closed('database name must contain only letters, numbers, and underscores'),
  taken: closed('logical database already exists'),
} as const;

const ofProject: readonly Blocker[] = [
  counted({
    when: ({ projectSeen }) => projectSeen.is === 'absent',
    message: ({ project }) => projectMissing(project),
    cause: itself('ProjectMissing', projectOf),
  }),
  counted({
    when: ({ projectSeen }) => projectSeen.is === 'notReady',
    message: ({ project }) => projectNotReady(project),
    cause: waitsFor('ProjectNotReady', projectOf),
  }),
  counted({
    when: ({ projectSeen }) => projectSeen.is === 'withoutEnvironment',
    message: ({ project, environment }) => environmentMissing(project, environment),
    cause: itself('EnvironmentMissing', projectOf),
  }),
];

const ofServer: readonly Blocker[] = [
  waiting('serverMissing', {
    when: ({ server }) => server.is === 'absent',
    message: ({ serverName }) =>
      sentence('database server "{serverName}" is unavailable', { serverName: toViewers(serverName) }),
    cause: itself('ServerMissing', serverOf),
  }),
  waiting('serverNotReady', {
    when: onServer(({ ready }) => !ready),
    message: () => open('database server is not ready'),
    cause: byServerWaitedFor,
  }),
  counted({
    when: onServer(({ owner }) => owner === 'elsewhere'),
    message: () => closed('database server is in a different project or environment'),
    cause: itself('SettingRefused', serverOf),
  }),
  counted({
    when: onServer(({ hasConnection }) => !hasConnection),
    message: () => closed('database server has no connection secret'),
    cause: itself('SecretMissing', serverOf),
  }),
  permanent({
    when: onServer(({ engine, external }) => external || !logicalEngines.includes(engine)),
    message: () => logicalMessage.engine,
    cause: itself('SettingRefused', serverOf),
  }),
];

const ofName: readonly Blocker[] = [
  permanent({
    when: ({ databaseName }) => !isLogicalName(databaseName),
    message: () => logicalMessage.name,
    cause: itself('SettingRefused'),
  }),
  permanent({
    when: isTooLong,
    message: () =>
      sentence('database name must be no more than {most} characters', { most: toViewers(longestDatabaseName) }),
    cause: itself('SettingRefused'),
  }),
  permanent({
    when: ({ movedFrom }) => movedFrom !== '',
    message: ({ movedFrom }) =>
      sentence('the database of a logical database cannot change (it is {database})', { database: hidden(movedFrom) }),
    cause: itself('SettingRefused'),
  }),
  permanent({
    when: ({ heldByOther }) => heldByOther,
    message: () => logicalMessage.taken,
    cause: itself('ForeignObject'),
  }),
];

const ofPlace: readonly Blocker[] = [
  counted({
    when: regionsDiffer,
    message: (seen) => {
      const [server, project] = regions(seen);
      return sentence(
        'This database server runs in the {server} region, but the project runs in the {project} region',
        { server: toViewers(server), project: toViewers(project) },
      );
    },
    cause: itself('SettingRefused', serverOf),
  }),
  counted({
    when: (seen) => missingTags(seen).length > 0,
    message: (seen) =>
      sentence('This database server does not run on nodes tagged {missingTags}, which the project requires', {
        missingTags: toViewers(missingTags(seen).join(', ')),
      }),
    cause: itself('SettingRefused', serverOf),
  }),
];

/** The progress of the creation; irrelevant once the database exists. */
const ofCreation: readonly Blocker[] = [
  counted({
    when: ({ connection }) => !connection,
    message: () => closed('database connection secret is unavailable'),
    cause: itself('SecretMissing', serverOf),
  }),
  waiting('adminLoginMissing', {
    when: ({ created, adminLogin }) => !created && !adminLogin,
    message: () => closed(`Waiting for the database server's administrator login`),
    cause: byAdminSecret,
  }),
  permanent({
    when: ({ created, job }) => !created && job === 'failed',
    message: () => open('database creation Job failed'),
    cause: firstOf<Seen>(byJob('CreateJobFailed', 'create'), itself('CreateJobFailed')),
  }),
  permanent({
    when: ({ created, job }) => !created && job === 'taken',
    message: () => logicalMessage.taken,
    cause: itself('ForeignObject', serverOf),
  }),
  waiting(
    'jobProgressed',
    {
      when: ({ created, job }) => !created && job !== 'succeeded',
      message: () => open('creating logical database'),
      cause: firstOf<Seen>(byJob('CreateJobFailed', 'create'), itself('CopiesStarting')),
    },
    applied,
  ),
];

/** Everything that keeps a logical database from being ready, in the order checked (001 Provisioning; 001 Errors). */
export const logicalBlockers: readonly Blocker[] = [
  ...failedInPass<Seen>(),
  ...ofProject,
  ...ofServer,
  ...ofName,
  ...ofPlace,
  ...ofCreation,
];

/** The first blocker that holds; undefined when nothing blocks. */
export const logicalBlockerIn = (seen: Seen): Blocker | undefined => blockerAmong(logicalBlockers, seen);

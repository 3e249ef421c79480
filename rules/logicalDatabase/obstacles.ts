import type { LogicalDatabaseEvent } from '../../machines/names.ts';
import type { LogicalDatabaseNamed, LogicalDatabaseRead, ProjectSeen, ServerSeen } from './facts.ts';
import { closed, sentence, toViewers, type Said } from '../words.ts';
import { environmentMissing, projectMissing, projectNotReady } from '../project/missing.ts';

/** An obstacle: waited for, counted as a failure, or final at once. */
export type Obstacle<Seen> = {
  readonly id: string;
  readonly when: (seen: Seen) => boolean;
  readonly message: (seen: Seen) => Said;
} & (
  | { readonly weighs: 'counted' }
  | { readonly weighs: 'waiting' | 'permanent'; readonly event: LogicalDatabaseEvent['type'] }
);

/** An obstacle that reads one fact that costs a call, and no other. */
export type ObstacleRead = Obstacle<LogicalDatabaseRead> & { readonly reads: 'connection' | 'adminLogin' | 'job' };

type Found = Extract<ServerSeen, { readonly is: 'found' }>;
type Fine = Extract<ProjectSeen, { readonly is: 'fine' }>;

const onServer =
  (holds: (server: Found) => boolean) =>
  ({ server }: LogicalDatabaseNamed) =>
    server.is === 'found' && holds(server);
const onBoth =
  <T>(of: (server: Found, project: Fine) => T, otherwise: T) =>
  ({ server, projectSeen }: LogicalDatabaseNamed): T =>
    server.is === 'found' && projectSeen.is === 'fine' ? of(server, projectSeen) : otherwise;

const regions = onBoth(({ region }, project) => [region, project.region] as const, ['', ''] as const);
const regionsDiffer = (seen: LogicalDatabaseNamed) => {
  const [server, project] = regions(seen);
  return server !== '' && project !== '' && server !== project;
};

/** Only a shared server may lack the project's tags; one without a recorded placement may run anywhere. */
const missingTags = onBoth<readonly string[]>(
  ({ owner, placedOn }, { requiredTags }) =>
    owner === 'shared' ? requiredTags.filter((tag) => !placedOn?.includes(tag)) : [],
  [],
);

/** The checks of the project, the server and the spec, in order (001 Provisioning; 001 Errors). */
export const fitting: readonly Obstacle<LogicalDatabaseNamed>[] = [
  {
    id: 'project-absent',
    weighs: 'counted',
    when: ({ projectSeen }) => projectSeen.is === 'absent',
    message: ({ project }) => projectMissing(project),
  },
  {
    id: 'project-not-ready',
    weighs: 'counted',
    when: ({ projectSeen }) => projectSeen.is === 'notReady',
    message: ({ project }) => projectNotReady(project),
  },
  {
    id: 'environment-absent',
    weighs: 'counted',
    when: ({ projectSeen }) => projectSeen.is === 'withoutEnvironment',
    message: ({ project, environment }) => environmentMissing(project, environment),
  },
  {
    id: 'server-absent',
    weighs: 'waiting',
    event: 'serverMissing',
    when: ({ server }) => server.is === 'absent',
    message: ({ serverName }) =>
      sentence('database server "{serverName}" is unavailable', { serverName: toViewers(serverName) }),
  },
  {
    id: 'server-not-ready',
    weighs: 'waiting',
    event: 'serverNotReady',
    when: onServer(({ ready }) => !ready),
    message: () => closed('database server is not ready'),
  },
  {
    id: 'server-elsewhere',
    weighs: 'counted',
    when: onServer(({ owner }) => owner === 'elsewhere'),
    message: () => closed('database server is in a different project or environment'),
  },
  {
    id: 'server-without-connection',
    weighs: 'counted',
    when: onServer(({ hasConnection }) => !hasConnection),
    message: () => closed('database server has no connection secret'),
  },
  {
    id: 'wrong-engine',
    weighs: 'permanent',
    event: 'specRefused',
    when: onServer(({ engine }) => engine !== 'Postgres' && engine !== 'MySQL'),
    message: () => closed('logical databases require a Postgres or MySQL server'),
  },
  {
    id: 'wrong-name',
    weighs: 'permanent',
    event: 'specRefused',
    when: ({ databaseName }) => !/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(databaseName),
    message: () => closed('database name must contain only letters, numbers, and underscores'),
  },
  {
    id: 'other-region',
    weighs: 'counted',
    when: regionsDiffer,
    message: (seen) => {
      const [server, project] = regions(seen);
      return sentence(
        'This database server runs in the {server} region, but the project runs in the {project} region',
        { server: toViewers(server), project: toViewers(project) },
      );
    },
  },
  {
    id: 'tags-missing',
    weighs: 'counted',
    when: (seen) => missingTags(seen).length > 0,
    message: (seen) =>
      sentence('This database server does not run on nodes tagged {missingTags}, which the project requires', {
        missingTags: toViewers(missingTags(seen).join(', ')),
      }),
  },
];

/** What is read of the server once every check passes. */
export const reading: readonly ObstacleRead[] = [
  {
    id: 'connection-unreadable',
    weighs: 'counted',
    reads: 'connection',
    when: ({ connection }) => !connection,
    message: () => closed('database connection secret is unavailable'),
  },
];

/** What a database that is not created yet waits for. */
export const creating: readonly ObstacleRead[] = [
  {
    id: 'no-admin-login',
    weighs: 'waiting',
    event: 'adminLoginMissing',
    reads: 'adminLogin',
    when: ({ created, adminLogin }) => !created && !adminLogin,
    message: () => closed(`Waiting for the database server's administrator login`),
  },
  {
    id: 'job-running',
    weighs: 'waiting',
    event: 'jobProgressed',
    reads: 'job',
    when: ({ created, job }) => !created && (job === 'running' || job === 'absent'),
    message: () => closed('creating logical database'),
  },
  {
    id: 'job-failed',
    weighs: 'permanent',
    event: 'jobFailed',
    reads: 'job',
    when: ({ created, job }) => !created && job === 'failed',
    message: () => closed('database creation Job failed'),
  },
  {
    id: 'database-taken',
    weighs: 'permanent',
    event: 'jobFailed',
    reads: 'job',
    when: ({ created, job }) => !created && job === 'taken',
    message: () => closed('logical database already exists'),
  },
];

import type { Summary } from '../../../api.ts';
import type { Place } from '../../routes.ts';
import { defaultsOf } from '../../model/databaseSettings.ts';
import { bucketAccounts } from '../../model/cloudAccounts.ts';
import { detailOf } from '../../model/details.ts';
import { isServer as isBucketServer } from '../../model/objectStore.ts';

/** Something that can be made in an environment. */
export interface ResourceEntry {
  readonly key: string;
  readonly label: string;
  readonly help: string;
  /** Why it cannot be made now; null where it can. */
  readonly refused: string | null;
  readonly makes:
    | { readonly is: 'database'; readonly engine: string; readonly placement: 'InCluster' | 'External' }
    | { readonly is: 'logical'; readonly server: string }
    | { readonly is: 'bucket'; readonly on: 'connection' | 'server'; readonly name: string };
}

const meanings: Readonly<Record<string, string>> = {
  Postgres: 'A server of its own, with a disk.',
  MySQL: 'A server of its own, with a disk.',
  SQLite: 'A small database behind HTTP, with a disk.',
  Redis: 'Keeps everything in memory, and nothing on a disk.',
};
const engines = Object.keys(meanings);

/** The engines that run in the cluster. */
export const clusterEntries: readonly ResourceEntry[] = engines.map((engine) => ({
  key: engine,
  label: engine,
  help: meanings[engine] ?? '',
  refused: null,
  makes: { is: 'database', engine, placement: 'InCluster' },
}));

/** The same engines where they run elsewhere: nothing is made in the cluster but the Secret of the connection. */
export const externalEntries: readonly ResourceEntry[] = engines.map((engine) => ({
  key: `external-${engine}`,
  label: `External ${engine}`,
  help: 'Runs elsewhere; services get its connection.',
  refused: null,
  makes: { is: 'database', engine, placement: 'External' },
}));

/** The engines whose servers hold logical databases. */
const serverEngines: readonly string[] = ['Postgres', 'MySQL'];
const isServer = (database: Summary): boolean =>
  serverEngines.includes(detailOf(database, 'engine')) && detailOf(database, 'placement') !== 'External';
const isShared = ({ project }: Summary): boolean => project === '';

/** A shared server fits a project of its region, or any project where either has none. */
const fits = (server: Summary, place: Place, region: string): boolean =>
  isShared(server)
    ? region === '' || ['', region].includes(detailOf(server, 'region'))
    : server.project === place.project && server.environment === place.environment;

const noServer: ResourceEntry = {
  key: 'logical',
  label: 'Logical database',
  help: 'A database on a server that runs already.',
  refused: 'Create a database server first',
  makes: { is: 'logical', server: '' },
};

const serverEntry = (server: Summary): ResourceEntry => ({
  key: `logical-${server.name}`,
  label: isShared(server) ? `Shared server ${server.displayName}` : `Logical database on ${server.displayName}`,
  help: isShared(server)
    ? `A database with a login of its own on the shared ${detailOf(server, 'engine')} server.`
    : `One more database on this ${detailOf(server, 'engine')} server.`,
  refused: server.state === 'ready' ? null : `The server is ${server.state}: it has to be ready first.`,
  makes: { is: 'logical', server: server.name },
});

/** The servers of the environment and the shared ones of its region, each as a place for a logical database. */
export function serverEntries(databases: readonly Summary[], place: Place, region: string): readonly ResourceEntry[] {
  const servers = databases.filter(isServer).filter((server) => fits(server, place, region));
  return servers.length === 0 ? [noServer] : servers.map(serverEntry);
}

const noAccount: ResourceEntry = {
  key: 'bucket',
  label: 'Bucket',
  help: 'A bucket with a user of its own.',
  refused: 'Link a cloud account in the project settings, or run an object store server first',
  makes: { is: 'bucket', on: 'connection', name: '' },
};

const bucketEntry = (one: Summary, on: 'connection' | 'server'): ResourceEntry => ({
  key: `bucket-${on}-${one.name}`,
  label: on === 'connection' ? `Bucket in ${one.displayName}` : `Bucket on ${one.displayName}`,
  help:
    on === 'connection'
      ? 'A bucket in the linked account, with a user of its own.'
      : 'A bucket on the object store of the cluster, with a user of its own.',
  refused: one.state === 'ready' ? null : `The ${on} is ${one.state}: it has to be ready first.`,
  makes: { is: 'bucket', on, name: one.name },
});

/** The accounts of the project and the servers of the cluster, each as a place for a bucket. */
export function bucketEntries(connections: readonly Summary[], stores: readonly Summary[]): readonly ResourceEntry[] {
  const entries = [
    ...bucketAccounts(connections).map((one) => bucketEntry(one, 'connection')),
    ...stores.filter(isBucketServer).map((one) => bucketEntry(one, 'server')),
  ];
  return entries.length === 0 ? [noAccount] : entries;
}

/** What is typed of a new database. */
export interface NewResource {
  readonly name: string;
  readonly host: string;
  readonly port: string;
  readonly database: string;
  readonly username: string;
  readonly passwordSecret: string;
}

export const emptyResource: NewResource = {
  name: '',
  host: '',
  port: '',
  database: '',
  username: '',
  passwordSecret: '',
};

const nameShape = /^[a-z]([-a-z0-9]{0,34}[a-z0-9])?$/;

/** Why what was typed cannot be used; null where it can. */
export function resourceProblem({ name, port }: NewResource): string | null {
  if (name !== '' && !nameShape.test(name))
    return 'A name has at most 36 lowercase letters, digits and hyphens, and begins with a letter.';
  const number = Number(port);
  const isPort = port === '' || (Number.isInteger(number) && number >= 1 && number <= 65_535);
  return isPort ? null : 'A port is a whole number from 1 to 65535.';
}

const filled = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));

/** What pages give a database in the cluster. */
const clusterSpec = (engine: string) => {
  const { cpu, memory, storageSize } = defaultsOf(engine);
  const hasDisk = engine !== 'Redis';
  return {
    engine,
    placement: 'InCluster',
    resources: { requests: { cpu, memory } },
    ...(hasDisk ? { storageSize, backup: { enabled: true, retentionDays: 7 } } : {}),
  };
};

const externalSpec = (engine: string, { host, port, database, username, passwordSecret }: NewResource) => ({
  engine,
  placement: 'External',
  ...filled({
    externalHost: host.trim(),
    externalPort: port === '' ? '' : Number(port),
    databaseName: database.trim(),
    username: username.trim(),
  }),
  ...(passwordSecret.trim() === '' ? {} : { passwordSecretRef: { name: passwordSecret.trim(), key: '' } }),
});

/** The body of the request that makes a resource; the server names what has no name. */
export function newResourceBody(
  { makes }: ResourceEntry,
  typed: NewResource,
  place: Place,
  how: 'draft' | 'deploy',
): Readonly<Record<string, unknown>> {
  const named = filled({ name: typed.name });
  if (makes.is === 'logical') return { ...place, ...named, server: makes.server, databaseName: 'app' };
  if (makes.is === 'bucket')
    return { ...place, ...named, mode: 'Bucket', [`${makes.on}Ref`]: { name: makes.name }, [how]: true };
  const spec = makes.placement === 'External' ? externalSpec(makes.engine, typed) : clusterSpec(makes.engine);
  return { ...place, ...named, ...spec, [how]: true };
}

/** What is made, for the summary: each setting that pages choose. */
export function madeWords({ makes }: ResourceEntry): readonly (readonly [name: string, value: string])[] {
  if (makes.is === 'logical')
    return [
      ['Server', makes.server],
      ['Database', 'app'],
    ];
  if (makes.is === 'bucket')
    return [
      [makes.on === 'server' ? 'Server' : 'Account', makes.name],
      ['Bucket', 'named by Core, and emptied and deleted with it'],
    ];
  if (makes.placement === 'External') return [['Runs', 'elsewhere']];
  const { cpu, memory, storageSize } = defaultsOf(makes.engine);
  const hasDisk = makes.engine !== 'Redis';
  return [
    ['Resources', `${cpu} CPU, ${memory} memory`],
    ['Storage', hasDisk ? storageSize : 'none'],
    ...(hasDisk ? [['Backups', 'on, 7 days'] as const] : []),
  ];
}

/** What the page says once a logical database is made. It has no draft, whatever the first sentence says (UI-018). */
export const logicalMade = 'Saved as a draft. Core starts creating it at once.';

import type { CoreLogicalDatabase } from '../../../crds/coreLogicalDatabase.ts';
import { isReady } from '../../../rules/condition.ts';
import type { LogicalDatabaseObserved, ProjectSeen } from '../../../rules/logicalDatabase/facts.ts';
import { databaseOn } from '../../../rules/logicalDatabase/names.ts';
import { createdAtMs } from '../../../rules/time.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { logicalDatabases, projects } from '../../services/cluster/kinds.ts';
import { byServer } from '../../services/cluster/indexes.ts';
import type { ActionFailed } from '../../contract/lifecycle.ts';
import { placementOf } from '../placement.ts';
import { createJobSeen } from './owned/jobs.ts';
import { loginIn } from './owned/login.ts';
import type { LogicalDatabaseResources } from './owned.ts';
import { hasAdmin, instanceOf, type Placed, placedOn, serverLogin, serverSeen } from './observe/server.ts';
import { overwrittenMessage } from '../../owned/owned.ts';

/** The input of an observation besides the logical database. */
export interface ObserveInput {
  readonly reader: CacheReader;
  readonly ownedResources: LogicalDatabaseResources;
  readonly failure: ActionFailed | null;
}

function projectSeen({ spec }: CoreLogicalDatabase, reader: CacheReader): ProjectSeen {
  const found = reader.get(projects, spec.project);
  if (!found) return { is: 'absent' };
  if (!isReady(found)) return { is: 'notReady' };
  if (!found.spec.environments.includes(spec.environment)) return { is: 'withoutEnvironment' };
  return { is: 'fine', region: placementOf(found, reader).region, requiredTags: found.spec.requiredTags ?? [] };
}

const wasCreated = ({ status }: CoreLogicalDatabase): boolean => (status?.database ?? '') !== '';

/**
 * Whether one logical database has precedence: a created one, else the older; creation times are whole seconds, so
 * within one the uid decides.
 */
function precedes(one: CoreLogicalDatabase, other: CoreLogicalDatabase): boolean {
  if (wasCreated(one) !== wasCreated(other)) return wasCreated(one);
  const [mine, theirs] = [createdAtMs(one), createdAtMs(other)];
  return mine === theirs ? (one.metadata.uid ?? '') < (other.metadata.uid ?? '') : mine < theirs;
}

/** The logical databases on a server. */
export const onServer = (server: string, reader: CacheReader): readonly CoreLogicalDatabase[] =>
  reader.indexed(logicalDatabases, byServer.name, server);

function isHeldByOther(logical: CoreLogicalDatabase, { owner, database }: Placed, reader: CacheReader): boolean {
  return onServer(logical.spec.serverRef, reader).some(
    (other) =>
      other.metadata.name !== logical.metadata.name &&
      databaseOn(owner, other.spec) === database &&
      precedes(other, logical),
  );
}

const movedFrom = ({ status }: CoreLogicalDatabase, { database }: Placed): string =>
  [database, ''].includes(status?.database ?? '') ? '' : (status?.database ?? '');

/** Whether it was created on the current server, with a login that is still known. */
function isCreated(logical: CoreLogicalDatabase, placed: Placed, reader: CacheReader): boolean {
  const before = logical.status?.serverInstance ?? '';
  const now = instanceOf(placed, reader);
  const isSameServer = before === '' || now === '' || before === now;
  const { database } = logical.status ?? {};
  const isKnown = placed.owner === 'own' || loginIn(logical, placed, reader) !== null;
  return database === placed.database && isSameServer && isKnown;
}

/** Observes a logical database and its related objects. */
export function observeLogicalDatabase(
  logical: CoreLogicalDatabase,
  { reader, ownedResources, failure }: ObserveInput,
): LogicalDatabaseObserved {
  const placed = placedOn(logical, reader);
  return {
    project: logical.spec.project,
    environment: logical.spec.environment,
    projectSeen: projectSeen(logical, reader),
    serverName: logical.spec.serverRef,
    server: serverSeen(logical, placed, reader),
    databaseName: logical.spec.databaseName,
    ...creationSeen(logical, placed, reader),
    connected: ownedResources.isConnected(logical, reader),
    contested: ownedResources.diff(logical, reader).overwritten.map(overwrittenMessage),
    failure: failure && { counts: failure.retry, why: failure.message, on: failure.on },
  };
}

type Creation = Pick<
  LogicalDatabaseObserved,
  'movedFrom' | 'heldByOther' | 'created' | 'connection' | 'adminLogin' | 'job'
>;

function creationSeen(logical: CoreLogicalDatabase, placed: Placed | null, reader: CacheReader): Creation {
  if (placed === null)
    return {
      movedFrom: '',
      heldByOther: false,
      created: wasCreated(logical),
      connection: false,
      adminLogin: false,
      job: 'absent',
    };
  return {
    movedFrom: movedFrom(logical, placed),
    heldByOther: isHeldByOther(logical, placed, reader),
    created: isCreated(logical, placed, reader),
    connection: serverLogin(placed, reader) !== null,
    adminLogin: hasAdmin(placed, reader),
    job: createJobSeen(logical, placed, reader),
  };
}

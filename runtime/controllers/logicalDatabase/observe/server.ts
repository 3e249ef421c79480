import type { CoreDatabase, DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import type { CoreLogicalDatabase } from '../../../../crds/coreLogicalDatabase.ts';
import { isReady } from '../../../../rules/condition.ts';
import { connectionSecretName, type Login } from '../../../../rules/database/connection.ts';
import { isShared, namespaceOf } from '../../../../rules/database/effective.ts';
import { nodePlacementOf } from '../../../../rules/database/nodePlacement.ts';
import type { ServerSeen } from '../../../../rules/logicalDatabase/facts.ts';
import { primaryClaim } from '../../../../rules/database/query.ts';
import { adminSecretName, type LogicalServer } from '../../../../rules/logicalDatabase/job.ts';
import { databaseOn, loginOn, type ServerOwner } from '../../../../rules/logicalDatabase/names.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { databases } from '../../../services/cluster/kinds.ts';
import { owned } from '../../../owned/owned.ts';
import { secretText } from '../../../services/secretText.ts';
import { isDeleting } from '../../../../rules/deleting.ts';
import { chartClaims, postgresClusters } from '../../../owned/addonKinds.ts';
import { placedOf } from '../../database/read.ts';
import { gateOf, specOf } from '../../../../rules/database/deployed.ts';

/** The server of a logical database, and its name there. */
export interface Placed {
  readonly server: LogicalServer;
  readonly object: CoreDatabase;
  readonly owner: ServerOwner;
  readonly database: string;
  readonly login: string;
}

/** The cached server that a logical database names; null when missing. */
export function placedOn(logical: CoreLogicalDatabase, reader: CacheReader): Placed | null {
  const object = reader.get(databases, logical.spec.serverRef);
  if (!object) return null;
  const spec = specOf(object, gateOf(object));
  const owner: ServerOwner = isShared(spec) ? 'shared' : 'own';
  const { region, required } = placedOf(object, spec, reader);
  return {
    object,
    owner,
    // A shared server belongs to all projects, so it does not run on nodes reserved for one.
    server: { database: object, spec, placement: { region, tags: owner === 'own' ? required : [] } },
    database: databaseOn(owner, logical.spec),
    login: loginOn(owner, logical.spec),
  };
}

/** The server as the rules see it. */
export function serverSeen(logical: CoreLogicalDatabase, placed: Placed | null, reader: CacheReader): ServerSeen {
  if (placed === null) return { is: 'absent' };
  const { object, server } = placed;
  const { spec } = server;
  const recorded = nodePlacementOf(object);
  return {
    is: 'found',
    ready: isReady(object) && !isDeleting(object),
    owner: ownerSeen(logical, spec),
    engine: spec.engine,
    external: spec.placement === 'External',
    hasConnection: (object.status?.connectionSecret ?? '') !== '',
    region: placedOf(object, spec, reader).region,
    placedOn: recorded === null ? null : [...recorded.tags, ...recorded.required],
  };
}

function ownerSeen({ spec }: CoreLogicalDatabase, server: DatabaseSpec): 'here' | 'elsewhere' | 'shared' {
  if (isShared(server)) return 'shared';
  return server.project === spec.project && server.environment === spec.environment ? 'here' : 'elsewhere';
}

const secretOf = (reader: CacheReader, { server }: Placed, name: string) =>
  reader.get(owned.secrets, name, namespaceOf(server.spec));

/** The login of the server itself, by its connection Secret; null when it cannot be read. */
export function serverLogin(placed: Placed, reader: CacheReader): Login | null {
  const secret = secretOf(reader, placed, connectionSecretName(placed.object.metadata.name));
  const password = secretText(secret, 'password');
  return password === '' ? null : { username: secretText(secret, 'username'), password };
}

/** Whether the administrator's login exists. */
export function hasAdmin(placed: Placed, reader: CacheReader): boolean {
  const { engine } = placed.server.spec;
  const secret = secretOf(reader, placed, adminSecretName(placed.object.metadata.name, engine));
  return secretText(secret, engine === 'MySQL' ? 'mysql-root-password' : 'password') !== '';
}

/**
 * The uid of the object that holds the data of the server: for Postgres the Cluster, which owns its volumes, for MySQL
 * the claim of the primary. Empty while it does not exist.
 */
export function instanceOf(placed: Placed, reader: CacheReader): string {
  const { object, server } = placed;
  const { spec } = server;
  const lives =
    spec.engine === 'Postgres'
      ? reader.get(postgresClusters, object.metadata.name, namespaceOf(spec))
      : reader.get(chartClaims, primaryClaim(object, spec), namespaceOf(spec));
  return lives?.metadata.uid ?? '';
}

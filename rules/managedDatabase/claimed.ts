import type { CoreDatabase, DatabaseSpec } from '../../crds/coreDatabase.ts';
import { isManaged } from '../database/effective.ts';
import type { LoginPlace } from './provider.ts';

/** A claimed login at the provider, and its place. */
export interface Claim {
  readonly login: string;
  readonly connection: string;
  readonly place: LoginPlace;
}

/** The claimed login of a database; null for none. */
export function claimOf({ status }: Pick<CoreDatabase, 'status'>): Claim | null {
  const { login, connection, database, kind } = status?.managed ?? {};
  if (!login || !connection || !database) return null;
  return { login, connection, place: { database, kind: kind === 'mysql' ? 'mysql' : 'postgresql' } };
}

/**
 * The spec with the database of its claimed login: a later edit does not select another database while that login may
 * exist.
 */
export function asClaimed(database: Pick<CoreDatabase, 'status'>, spec: DatabaseSpec): DatabaseSpec {
  const claim = isManaged(spec) ? claimOf(database) : null;
  if (claim === null) return spec;
  const { place, connection } = claim;
  return {
    ...spec,
    engine: place.kind === 'mysql' ? 'MySQL' : 'Postgres',
    databaseName: place.database,
    connectionRef: { ...spec.connectionRef, name: connection },
  };
}

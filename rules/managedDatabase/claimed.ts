import type { CoreDatabase, DatabaseSpec } from '../../crds/coreDatabase.ts';
import { isManaged } from '../database/effective.ts';
import type { LoginPlace } from './provider.ts';

/** A login that was named for a database at the provider, and where it is. */
export interface Claim {
  readonly login: string;
  readonly connection: string;
  readonly place: LoginPlace;
}

/** The claimed login of a database; null where none is claimed. */
export function claimOf({ status }: Pick<CoreDatabase, 'status'>): Claim | null {
  const { login, connection, database, kind } = status?.managed ?? {};
  if (!login || !connection || !database) return null;
  return { login, connection, place: { database, kind: kind === 'mysql' ? 'mysql' : 'postgresql' } };
}

/** The spec, with what its login was claimed for: a later edit leads to no other database while that login may live. */
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

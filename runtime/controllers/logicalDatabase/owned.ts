import type { CoreLogicalDatabase } from '../../../crds/coreLogicalDatabase.ts';
import { annotation } from '../../../crds/names.ts';
import type { Login } from '../../../rules/database/connection.ts';
import { logicalConnectionSecret, logicalLoginSecret } from '../../../rules/logicalDatabase/secrets.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { logicalDatabases } from '../../services/cluster/kinds.ts';
import type { Ensure } from '../../contract/ensure.ts';
import { type Diff, dueOf, makeOwned, emptyDiff, type Owned, owned, type OwnedObject } from '../../owned/owned.ts';
import { loginIn } from './owned/login.ts';
import { type Placed, placedOn } from './observe/server.ts';

/**
 * Adopts the objects of an earlier logical database of the name: on a project's own server the connection outlives it.
 */
const adopting = (logical: CoreLogicalDatabase): CoreLogicalDatabase => ({
  ...logical,
  metadata: { ...logical.metadata, annotations: { ...logical.metadata.annotations, [annotation.adopt]: 'true' } },
});

/** The Secrets of a database that was created: its login on a shared server, and its connection. */
export function secretsOf(logical: CoreLogicalDatabase, placed: Placed, login: Login): readonly OwnedObject[] {
  const { server, database, owner } = placed;
  const secrets = [
    ...(owner === 'shared' ? [logicalLoginSecret(logical, server, login)] : []),
    logicalConnectionSecret(logical, server, { login, name: database }),
  ];
  return secrets.map((object): OwnedObject => ({ resource: owned.secrets, object, whole: [['data']] }));
}

/** The Secrets of logical databases. */
export interface LogicalDatabaseResources extends Pick<
  Owned<CoreLogicalDatabase>,
  'watches' | 'settled' | 'reconcile'
> {
  /** The difference of its Secrets, while its server and its login are known. */
  readonly diff: (logical: CoreLogicalDatabase, reader: CacheReader) => Diff;
  readonly isConnected: (logical: CoreLogicalDatabase, reader: CacheReader) => boolean;
  /** Those in the cache, when none is wanted any more. */
  readonly left: (logical: CoreLogicalDatabase, reader: CacheReader) => Diff;
  /** Deletes all of them. */
  readonly deleteAll: Ensure<CoreLogicalDatabase>;
}

function wantedOf(logical: CoreLogicalDatabase, reader: CacheReader): readonly OwnedObject[] | null {
  const placed = placedOn(logical, reader);
  const login = placed && loginIn(logical, placed, reader);
  return placed === null || login === null ? null : secretsOf(logical, placed, login);
}

/** Whether its Secrets exist, as applied or as overwritten by another manager. */
const isApplied = (diff: Diff): boolean => diff.absent.length === 0 && dueOf(diff).length === 0;

export function logicalDatabaseResources(): LogicalDatabaseResources {
  const own = makeOwned<CoreLogicalDatabase>({
    owners: logicalDatabases,
    resources: [owned.secrets],
    desired: (logical, reader) => wantedOf(logical, reader) ?? [],
  });
  const diff: LogicalDatabaseResources['diff'] = (logical, reader) => {
    const wanted = wantedOf(logical, reader);
    return wanted === null ? emptyDiff : own.diff(adopting(logical), reader, wanted);
  };
  return {
    watches: own.watches,
    settled: own.settled,
    reconcile: (logical, reader, wanted, known) => own.reconcile(adopting(logical), reader, wanted, known),
    diff,
    isConnected: (logical, reader) => wantedOf(logical, reader) !== null && isApplied(diff(logical, reader)),
    left: (logical, reader) => own.diff(logical, reader, []),
    deleteAll: { run: (given) => own.deleteAll.run({ ...given, object: adopting(given.object) }) },
  };
}

import type { CoreDatabase, DatabaseSpec } from '../../crds/coreDatabase.ts';
import { maxNameLength } from './charts.ts';
import { databaseNameOf } from './effective.ts';

/** The reserved databases of a server. */
const ofServers: Readonly<Partial<Record<DatabaseSpec['engine'], readonly string[]>>> = {
  Postgres: ['postgres', 'template0', 'template1'],
  MySQL: ['mysql', 'sys', 'information_schema', 'performance_schema'],
};
const shape = /^[A-Za-z_][A-Za-z0-9_-]{0,62}$/;

/** Why these names are not allowed on a server in the cluster, as a sentence; empty when they are. */
export function misnamedOf(database: Pick<CoreDatabase, 'metadata'>, spec: DatabaseSpec): string {
  const { engine, placement } = spec;
  const { name } = database.metadata;
  const most = maxNameLength(engine);
  if (placement === 'External') return '';
  if (name.length > most) return `the name of a ${engine} database must be no more than ${most} characters`;
  const taken = ofServers[engine];
  if (taken === undefined) return '';
  const inner = databaseNameOf(database, spec);
  if (!shape.test(inner))
    return 'databaseName must begin with a letter or an underscore, and be no more than 63 letters, digits, underscores and hyphens';
  return taken.includes(inner.toLowerCase()) ? `databaseName ${inner} is a database of the server itself` : '';
}

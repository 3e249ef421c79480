import type { CoreDatabase, DatabaseSpec } from '../../crds/coreDatabase.ts';
import { mysqlObjects, redisObjects } from './charts.ts';
import { postgresObjects } from './postgres.ts';
import type { Settled, Workload } from './settled.ts';
import { sqliteObjects } from './sqlite.ts';

/** The workload of a database, in creation order: a pure function of its spec and settled values. */
export function workloadObjects(database: CoreDatabase, spec: DatabaseSpec, settled: Settled): readonly Workload[] {
  switch (spec.engine) {
    case 'Postgres':
      return postgresObjects(database, spec, settled);
    case 'MySQL':
      return mysqlObjects(database, spec, settled);
    case 'Redis':
      return redisObjects(database, spec, settled);
    case 'SQLite':
      return sqliteObjects(database, spec, settled);
  }
}

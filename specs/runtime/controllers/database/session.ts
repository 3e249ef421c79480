import type { CoreDatabase, DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { databaseController } from '../../../../runtime/controllers/database/controller.ts';
import { databases } from '../../../../runtime/services/cluster/kinds.ts';
import type { ClusterShape } from '../../../../runtime/services/cluster/cluster.ts';
import { databaseName, putDatabase, putDatabaseEnvironment } from '../../../support/database.ts';
import { startSession } from '../../../support/session.ts';
import type { TestEnvironment } from '../../../support/environment.ts';

/** A database and the operator over it, in a prepared environment. */
export async function databaseSession(
  {
    spec = {},
    annotations = {},
  }: { readonly spec?: Partial<DatabaseSpec>; readonly annotations?: Readonly<Record<string, string>> } = {},
  prepare: (environment: TestEnvironment) => void = putDatabaseEnvironment,
  through: (cluster: ClusterShape) => ClusterShape = (cluster) => cluster,
) {
  const session = await startSession<CoreDatabase>({
    resource: databases,
    name: databaseName,
    controllers: [databaseController()],
    prepare: (environment) => {
      prepare(environment);
      putDatabase(environment, spec, annotations);
    },
    through,
  });
  return { ...session, database: session.object };
}

export type DatabaseSession = Awaited<ReturnType<typeof databaseSession>>;

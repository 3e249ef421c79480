import type { CoreLogicalDatabase, LogicalDatabaseSpec } from '../../../../crds/coreLogicalDatabase.ts';
import { logicalDatabaseController } from '../../../../runtime/controllers/logicalDatabase/controller.ts';
import { logicalDatabases } from '../../../../runtime/services/cluster/kinds.ts';
import { putDatabaseEnvironment } from '../../../support/database.ts';
import { startSession } from '../../../support/session.ts';
import { logicalName, putLogical, putServer, type ServerAsked } from '../../../support/logicalDatabase.ts';
import type { World } from '../../../support/world.ts';

/** A logical database on a server, and the operator over it. */
export const logicalSession = async (
  spec: Partial<LogicalDatabaseSpec> = {},
  server: ServerAsked | null = {},
  prepare: (world: World) => void = () => {},
) =>
  startSession<CoreLogicalDatabase>({
    resource: logicalDatabases,
    name: logicalName,
    controllers: [logicalDatabaseController()],
    prepare: (world) => {
      putDatabaseEnvironment(world);
      if (server !== null) putServer(world, server);
      putLogical(world, spec);
      prepare(world);
    },
  });

export type LogicalSession = Awaited<ReturnType<typeof logicalSession>>;

/** Runs a test in a session and ends the session after it. */
export async function withSession(
  given: {
    readonly spec?: Partial<LogicalDatabaseSpec>;
    readonly server?: ServerAsked | null;
    readonly prepare?: (world: World) => void;
  },
  test: (session: LogicalSession) => Promise<void>,
): Promise<void> {
  const session = await logicalSession(given.spec, given.server, given.prepare);
  try {
    await session.pass(1);
    await test(session);
  } finally {
    await session.end();
  }
}

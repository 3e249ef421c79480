import type { CoreLogicalDatabase, LogicalDatabaseSpec } from '../../../../crds/coreLogicalDatabase.ts';
import { logicalDatabaseController } from '../../../../runtime/controllers/logicalDatabase/controller.ts';
import { logicalDatabases } from '../../../../runtime/services/cluster/kinds.ts';
import { putDatabaseEnvironment } from '../../../support/database.ts';
import { startSession } from '../../../support/session.ts';
import { logicalName, putLogical, putServer, type ServerAsked } from '../../../support/logicalDatabase.ts';
import type { TestEnvironment } from '../../../support/environment.ts';

/** A logical database on a server, and the operator over it. */
const logicalSession = async (
  spec: Partial<LogicalDatabaseSpec> = {},
  server: ServerAsked | null = {},
  prepare: (environment: TestEnvironment) => void = () => {},
) =>
  startSession<CoreLogicalDatabase>({
    resource: logicalDatabases,
    name: logicalName,
    controllers: [logicalDatabaseController()],
    prepare: (environment) => {
      putDatabaseEnvironment(environment);
      if (server !== null) putServer(environment, server);
      putLogical(environment, spec);
      prepare(environment);
    },
  });

export type LogicalSession = Awaited<ReturnType<typeof logicalSession>>;

/** Runs a test in a session and ends the session after it. */
export async function withSession(
  given: {
    readonly spec?: Partial<LogicalDatabaseSpec>;
    readonly server?: ServerAsked | null;
    readonly prepare?: (environment: TestEnvironment) => void;
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

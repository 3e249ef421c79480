import type { CoreLogicalDatabase, LogicalDatabaseSpec } from '../../../../crds/coreLogicalDatabase.ts';
import { logicalDatabaseController } from '../../../../runtime/controllers/logicalDatabase/controller.ts';
import { logicalDatabases } from '../../../../runtime/services/cluster/kinds.ts';
import { putDatabaseEnvironment } from '../../../support/database.ts';
import { liveIn } from '../../../support/live.ts';
import { logicalName, putLogical, putServer, type ServerAsked } from '../../../support/logicalDatabase.ts';
import type { World } from '../../../support/world.ts';

/** A logical database on a server, and the operator over it. */
export const liveLogical = async (
  spec: Partial<LogicalDatabaseSpec> = {},
  server: ServerAsked | null = {},
  prepare: (world: World) => void = () => {},
) =>
  liveIn<CoreLogicalDatabase>({
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

export type LiveLogical = Awaited<ReturnType<typeof liveLogical>>;

/** Runs a test over a life, which ends with it. */
export async function living(
  given: {
    readonly spec?: Partial<LogicalDatabaseSpec>;
    readonly server?: ServerAsked | null;
    readonly prepare?: (world: World) => void;
  },
  test: (live: LiveLogical) => Promise<void>,
): Promise<void> {
  const live = await liveLogical(given.spec, given.server, given.prepare);
  try {
    await live.pass(1);
    await test(live);
  } finally {
    await live.end();
  }
}

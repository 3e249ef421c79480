import { Context, Effect } from 'effect';
import { coreConsoleSession } from '../../../crds/coreConsoleSession.ts';
import { typeMeta } from '../../../crds/kind.ts';
import { consoleSessionController } from '../../../runtime/controllers/consoleSession/controller.ts';
import { consoleSessions } from '../../../runtime/services/cluster/kinds.ts';
import { Cluster } from '../../../runtime/services/cluster/cluster.ts';
import { makeHolders } from '../../../runtime/controllers/consoleSession/observe.ts';
import { startTerminals } from '../../../runtime/terminals/start.ts';
import { putTarget, target } from '../../faults/subjects/console/terminals.ts';
import { inSystem } from '../../support/project.ts';
import { virtualTime } from '../../support/virtualTime.ts';
import { makeTestEnvironment } from '../../support/environment.ts';
import { counted } from '../counted.ts';
import { letPass } from '../idling.ts';

const terminals = 100;
const idleMs = 600_000;

/** What is written in ten minutes of virtual time in which nobody types at a hundred terminals. */
export async function idleWrites() {
  const time = virtualTime();
  const holders = makeHolders({ lease: 'core-terminals-bench', leaseSeconds: 15 });
  const environment = makeTestEnvironment({ now: time.wall, controllers: [consoleSessionController(holders)] });
  const { cluster, writes } = counted(environment.cluster);
  let leaseWrites = 0;
  const noting: typeof cluster = {
    ...cluster,
    patch: (resource, ...rest) => {
      if (resource.plural === 'leases') leaseWrites++;
      return cluster.patch(resource, ...rest);
    },
  };
  const services = time.over(environment.services.pipe(Context.add(Cluster, noting)));
  putTarget(environment);
  for (let number = 0; number < terminals; number++)
    environment.cluster.put(consoleSessions, {
      ...typeMeta(coreConsoleSession),
      metadata: inSystem(`shell-${number}`),
      spec: { ...target, actor: 'admin', command: ['sh'], timeoutSeconds: 900 },
    });
  const started = await time.wait(environment.start(undefined, services));
  const own = await time.wait(startTerminals(services, { operator: started.operator, holders, log: () => {} }));
  await letPass(time, 5_000);
  const asked = { isOf: () => true, byCookie: false, originMatches: true, by: 'admin', endpoint: 'terminal' } as const;
  const opening = Array.from({ length: terminals }, (_, number) =>
    own.terminals.attach({ ...asked, session: `shell-${number}`, interactive: true }),
  );
  const opened = await time.wait(
    Effect.runPromise(Effect.all(opening, { concurrency: 16 }).pipe(Effect.provideContext(services))),
  );
  await letPass(time, 60_000);
  const before = { writes: writes.length, leaseWrites };
  await letPass(time, idleMs);
  const figures = {
    terminals: opened.filter(({ is }) => is === 'open').length,
    writes: writes.slice(before.writes),
    leaseWrites: leaseWrites - before.leaseWrites,
  };
  await own.crash();
  await started.crash();
  return figures;
}

import type { CoreConsoleSession } from '../../../crds/coreConsoleSession.ts';
import { consoleSessionLimits } from '../../../rules/consoleSession/limits.ts';
import { timeoutOf } from '../../../rules/consoleSession/timeout.ts';
import { consoleSessions } from '../../services/cluster/kinds.ts';
import type { Holders } from './observe.ts';
import { type Controller, controller } from '../../contract/controller.ts';
import { linesWritten } from './ensures.ts';
import { sessionLifecycle } from './lifecycle.ts';

/** CoreConsoleSession: records when a session starts, who holds its terminal, and ends it when it is over. */
export function consoleSessionController(holders: Holders): Controller {
  return controller<CoreConsoleSession>({
    resource: consoleSessions,
    lifecycles: [sessionLifecycle(holders)],
    watches: [],
    ensures: { linesWritten: { run: linesWritten(holders), schedule: { firstMs: 1_000, maxMs: 30_000 } } },
    defaults: ({ spec: { timeoutSeconds } }) => {
      const limit = timeoutOf(timeoutSeconds, consoleSessionLimits);
      return limit === timeoutSeconds ? null : { spec: { timeoutSeconds: limit } };
    },
  });
}

import { group, program, systemNamespace } from '../../crds/names.ts';
import type { Surroundings } from '../embedded/index.ts';
import { connectionLimits, stopOf } from '../services/connections.ts';
import { logLine } from '../services/log.ts';
import { uncaughtTo } from '../services/uncaught.ts';

/** What the embedded cluster needs from the program. */
export const clusterOptions: Surroundings = {
  names: { program, prefix: group, systemNamespace },
  log: logLine,
  connections: { limits: connectionLimits, stopOf },
  uncaught: uncaughtTo(() => {}),
};

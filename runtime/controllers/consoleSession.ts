import { Effect } from 'effect';
import { type CoreConsoleSession, consoleSessionPhases } from '../../crds/coreConsoleSession.ts';
import { consoleSession as machine } from '../../machines/consoleSession.ts';
import type { ConsoleSessionEvent, ConsoleSessionState } from '../../machines/names.ts';
import { tables } from '../../machines/tables.ts';
import { consoleSessionEvents } from '../../rules/consoleSession/events.ts';
import { type ConsoleSessionFacts, noRequest } from '../../rules/consoleSession/facts.ts';
import { consoleSessionLimits } from '../../rules/consoleSession/limits.ts';
import { timeoutOf } from '../../rules/consoleSession/timeout.ts';
import { byState } from '../../rules/engine.ts';
import { known, unasked } from '../../rules/fact.ts';
import { msOf } from '../../rules/time.ts';
import { consoleSessions } from '../kinds.ts';
import { type Acting, type Controller, controller, lifecycle } from '../lifecycle.ts';

/** CoreConsoleSession: records when a session starts, and ends it when it is over. */
export function consoleSessionController(): Controller {
  return controller<CoreConsoleSession>({
    resource: consoleSessions,
    lifecycles: [life],
    watches: [],
    ensures: {},
    adopt: ({ spec: { timeoutSeconds } }) => {
      const limit = timeoutOf(timeoutSeconds, consoleSessionLimits);
      return limit === timeoutSeconds ? null : { spec: { timeoutSeconds: limit } };
    },
  });
}

function stateOf({ status }: CoreConsoleSession): ConsoleSessionState {
  const phase = consoleSessionPhases.find((one) => one === status?.phase) ?? 'Pending';
  return phase === 'Active' && status?.terminal ? 'Attached' : phase;
}

const ended = (reason: string) => (acting: Acting<CoreConsoleSession, ConsoleSessionFacts>) => ({
  endedAt: acting.at,
  reason,
  terminal: null,
});

const life = lifecycle<CoreConsoleSession, ConsoleSessionFacts, ConsoleSessionState, ConsoleSessionEvent['type']>({
  name: 'consoleSession',
  kept: 'status',
  machine,
  ...tables.consoleSession,
  rules: byState(consoleSessionEvents),
  retrying: () => false,
  read: stateOf,
  write: (to) => ({ phase: to === 'Attached' ? 'Active' : to }),
  shown: stateOf,
  observe: ({ spec, status }, _, { now }) => ({
    now,
    ...noRequest,
    timeoutSeconds: spec.timeoutSeconds,
    startedAt: typeof status?.startedAt === 'string' ? msOf(status.startedAt) : null,
    holder: unasked,
  }),
  // No process opens terminals yet, so a recorded holder is always dead.
  ask: () => Effect.succeed(known('dead')),
  writes: {
    recordStart: ({ at }) => ({ startedAt: at }),
    expire: ended('Session timeout'),
    close: ended('Terminal closed'),
    closeStream: ended('Stream ended'),
    releaseTerminal: () => ({ terminal: null }),
  },
  acts: {},
  ensures: {},
});

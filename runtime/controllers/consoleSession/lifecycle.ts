import { Effect } from 'effect';
import { consoleSessionPhases, type CoreConsoleSession } from '../../../crds/coreConsoleSession.ts';
import { consoleSession as machine } from '../../../machines/consoleSession.ts';
import type { ConsoleSessionEvent, ConsoleSessionState } from '../../../machines/names.ts';
import { tables } from '../../../machines/tables.ts';
import { consoleSessionEvents } from '../../../rules/consoleSession/events.ts';
import { type ConsoleAsked, type ConsoleSessionFacts, noRequest } from '../../../rules/consoleSession/facts.ts';
import { byState } from '../../../rules/engine.ts';
import { type Fact, known, unasked, unknown } from '../../../rules/fact.ts';
import { msOf } from '../../../rules/time.ts';
import { lifecycle } from '../../contract/lifecycle.ts';
import { errorMessage } from '../../../rules/errorMessage.ts';
import type { Holders } from './observe.ts';
import { targetSeen } from './ask.ts';
import { holderIn, sessionActions } from './actions.ts';
import { waitsForHolder } from './ensures.ts';

/** The state of a stored session. */
export function sessionState({ status }: CoreConsoleSession): ConsoleSessionState {
  const phase = consoleSessionPhases.find((one) => one === status?.phase) ?? 'Pending';
  return phase === 'Active' && status?.terminal ? 'Attached' : phase;
}

function requestIn(asked: ConsoleAsked | null) {
  if (asked === null) return noRequest;
  const { is: _, holder: __, actor: ___, ...request } = { holder: '', actor: '', ...asked };
  return { ...noRequest, ...request };
}

/** The machine of a session. */
export function sessionLifecycle(holders: Holders) {
  return lifecycle<CoreConsoleSession, ConsoleSessionFacts, ConsoleSessionState, ConsoleSessionEvent['type']>({
    name: 'consoleSession',
    storage: 'status',
    machine,
    ...tables.consoleSession,
    rules: byState(consoleSessionEvents),
    retrying: () => false,
    read: sessionState,
    write: (to) => ({ phase: to === 'Attached' ? 'Active' : to }),
    shown: sessionState,
    observe: ({ spec, status }, _, { now, asked: given }) => {
      const asked = (given ?? null) as ConsoleAsked | null;
      return {
        now,
        ...requestIn(asked),
        timeoutSeconds: spec?.timeoutSeconds ?? null,
        startedAt: typeof status?.startedAt === 'string' ? msOf(status.startedAt) : null,
        isHolder: holderIn(asked) !== '' && holderIn(asked) === status?.terminal?.holder,
        holder: unasked,
        target: unasked,
      };
    },
    ask: (fact, session) =>
      fact === 'target'
        ? targetSeen(session)
        : holders.judge(session.status?.terminal?.holder ?? '').pipe(
            Effect.map((seen): Fact<'alive' | 'dead'> => known(seen)),
            Effect.catch((failure) => Effect.succeed(unknown(errorMessage(failure)))),
          ),
    actions: sessionActions,
    ensures: {
      // The process with the socket keeps the terminal open.
      terminalOpen: { run: () => Effect.succeed(waitsForHolder(holders)) },
    },
  });
}

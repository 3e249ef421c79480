import { Effect } from 'effect';
import { type CoreConsoleSession, consoleSessionPhases } from '../../crds/coreConsoleSession.ts';
import { annotation } from '../../crds/names.ts';
import { consoleSession as machine } from '../../machines/consoleSession.ts';
import type { ConsoleSessionEvent, ConsoleSessionState } from '../../machines/names.ts';
import { tables } from '../../machines/tables.ts';
import { consoleSessionEvents } from '../../rules/consoleSession/events.ts';
import { type ConsoleAsked, type ConsoleSessionFacts, noRequest } from '../../rules/consoleSession/facts.ts';
import { consoleSessionLimits } from '../../rules/consoleSession/limits.ts';
import { timeoutOf } from '../../rules/consoleSession/timeout.ts';
import { byState } from '../../rules/engine.ts';
import { type Fact, known, unasked, unknown } from '../../rules/fact.ts';
import { msOf } from '../../rules/time.ts';
import { consoleSessions } from '../kinds.ts';
import { type Acting, type Controller, controller, type Ensured, lifecycle } from '../lifecycle.ts';
import { why } from '../services/why.ts';
import { hangUpLeft } from '../terminals/hangUp.ts';
import type { Holders } from '../terminals/holders.ts';
import { fitTarget } from '../terminals/target.ts';

/** How much of a Lease may pass until a holder that let it run out is noticed. */
const lookedAtPerLease = 0.15;

/** CoreConsoleSession: records when a session starts, who holds its terminal, and ends it when it is over. */
export function consoleSessionController(holders: Holders): Controller {
  return controller<CoreConsoleSession>({
    resource: consoleSessions,
    lifecycles: [lifeOver(holders)],
    watches: [],
    ensures: {},
    adopt: ({ spec: { timeoutSeconds } }) => {
      const limit = timeoutOf(timeoutSeconds, consoleSessionLimits);
      return limit === timeoutSeconds ? null : { spec: { timeoutSeconds: limit } };
    },
  });
}

/** The state of a stored session. */
export function sessionState({ status }: CoreConsoleSession): ConsoleSessionState {
  const phase = consoleSessionPhases.find((one) => one === status?.phase) ?? 'Pending';
  return phase === 'Active' && status?.terminal ? 'Attached' : phase;
}

const ended = (reason: string) => (acting: Acting<CoreConsoleSession, ConsoleSessionFacts>) => ({
  endedAt: acting.at,
  reason,
  terminal: null,
});

const line =
  (message: string) =>
  ({ spec: { app, pod, actor = '' } }: CoreConsoleSession) => ({ message, fields: { app, pod, actor } });

const holderIn = (asked: ConsoleAsked | null): string => (asked !== null && 'holder' in asked ? asked.holder : '');

function requestIn(asked: ConsoleAsked | null) {
  if (asked === null) return noRequest;
  const { is: _, holder: __, ...request } = { holder: '', ...asked };
  return { ...noRequest, ...request };
}

/** Whether the pod is still the one that the session was made for, and fit for it. */
const targetSeen = ({ metadata, spec }: CoreConsoleSession) =>
  fitTarget(spec).pipe(
    Effect.map((found): Fact<'fit' | 'unfit'> => {
      const of = metadata.annotations?.[annotation.podUid];
      return known(found !== null && (of === undefined || of === found.uid) ? 'fit' : 'unfit');
    }),
    Effect.catch((failure) => Effect.succeed(unknown(why(failure)))),
  );

function lifeOver(holders: Holders) {
  /** Whoever finds a holder dead hangs up what it left, before anybody records that nothing is held any more. */
  const judged = (session: CoreConsoleSession) =>
    Effect.tap(holders.judge(session.status?.terminal?.holder ?? ''), (seen) =>
      seen === 'dead' ? hangUpLeft(session) : Effect.void,
    );
  return lifecycle<CoreConsoleSession, ConsoleSessionFacts, ConsoleSessionState, ConsoleSessionEvent['type']>({
    name: 'consoleSession',
    kept: 'status',
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
        : judged(session).pipe(
            Effect.map((seen): Fact<'alive' | 'dead'> => known(seen)),
            Effect.catch((failure) => Effect.succeed(unknown(why(failure)))),
          ),
    writes: {
      recordStart: ({ at }) => ({ startedAt: at }),
      holdTerminal: ({ at, facts }) => ({ terminal: { holder: holderIn(facts.asked), since: at } }),
      releaseTerminal: () => ({ terminal: null }),
      expire: ended('Session timeout'),
      close: ended('Terminal closed'),
      closeStream: ended('Stream ended'),
    },
    acts: {},
    logs: { logOpened: line('Console terminal opened'), logClosed: line('Console terminal closed') },
    ensures: {
      // The process with the socket keeps the terminal open; a pass only notices when that process is gone.
      terminalOpen: {
        run: () => Effect.succeed<Ensured>({ is: 'waits', afterMs: holders.leaseSeconds * 1_000 * lookedAtPerLease }),
      },
    },
  });
}

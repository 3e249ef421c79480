import { Effect } from 'effect';
import { type CoreConsoleSession, consoleSessionPhases } from '../../../crds/coreConsoleSession.ts';
import { annotation } from '../../../crds/names.ts';
import { consoleSession as machine } from '../../../machines/consoleSession.ts';
import type { ConsoleSessionAction, ConsoleSessionEvent, ConsoleSessionState } from '../../../machines/names.ts';
import { tables } from '../../../machines/tables.ts';
import { consoleSessionEvents } from '../../../rules/consoleSession/events.ts';
import { type ConsoleAsked, type ConsoleSessionFacts, noRequest } from '../../../rules/consoleSession/facts.ts';
import { consoleSessionLimits } from '../../../rules/consoleSession/limits.ts';
import { owers, owing } from '../../../rules/consoleSession/owedLines.ts';
import { timeoutOf } from '../../../rules/consoleSession/timeout.ts';
import { byState } from '../../../rules/engine.ts';
import { type Fact, known, unasked, unknown } from '../../../rules/fact.ts';
import { msOf } from '../../../rules/time.ts';
import { consoleSessions } from '../../services/cluster/kinds.ts';
import { type Acting, type Fields, lifecycle, patching, type Writing } from '../../contract/lifecycle.ts';
import type { LogFields } from '../../services/log.ts';
import { why } from '../../services/why.ts';
import { hangUpLeft } from './actions/hangUp.ts';
import type { Holders } from './observe/holders.ts';
import { linesAbout, type TerminalLines } from './actions/owedLines.ts';
import { fitTarget } from './observe/target.ts';
import { type Ensured, type Ensuring, holds } from '../../contract/ensure.ts';
import { type Controller, controller } from '../../contract/controller.ts';

/** How much of a Lease may pass until a holder that let it run out is noticed. */
const lookedAtPerLease = 0.15;

/** CoreConsoleSession: records when a session starts, who holds its terminal, and ends it when it is over. */
export function consoleSessionController(holders: Holders): Controller {
  return controller<CoreConsoleSession>({
    resource: consoleSessions,
    lifecycles: [lifeOver(holders)],
    watches: [],
    ensures: { linesWritten: { run: linesWritten(holders), retry: { firstMs: 1_000, mostMs: 30_000 } } },
    adopt: ({ spec: { timeoutSeconds } }) => {
      const limit = timeoutOf(timeoutSeconds, consoleSessionLimits);
      return limit === timeoutSeconds ? null : { spec: { timeoutSeconds: limit } };
    },
  });
}

/**
 * Whoever holds a terminal writes the lines about it. For a holder that is dead they are written here, after its shell
 * is hung up.
 */
function linesWritten(holders: Holders) {
  const say = (message: string, fields: LogFields) => Effect.annotateLogs(Effect.logInfo(message), fields);
  /** Kept until they are struck off, so that a write that fails doubles no line. */
  const unsettled = new Map<string, TerminalLines>();
  const settled = Effect.fnUntraced(function* ({ metadata }: CoreConsoleSession, holder: string) {
    const lines = unsettled.get(holder) ?? linesAbout(holder, say);
    unsettled.set(holder, lines);
    // A cache that lags shows a line as owed that its holder has written before it let go: what is stored counts.
    yield* lines.settle(metadata.name, (stored) => hangUpLeft(stored, holder));
    unsettled.delete(holder);
  });
  return Effect.fnUntraced(function* ({ object }: Ensuring<CoreConsoleSession>) {
    let isWaiting = false;
    for (const holder of owers(object.status))
      if ((yield* holders.judge(holder)) === 'dead') yield* settled(object, holder);
      else isWaiting = true;
    return isWaiting ? waitsForHolder(holders) : holds;
  });
}

/** A pass notices when a process is gone. */
const waitsForHolder = ({ leaseSeconds }: Holders): Ensured => ({
  is: 'waits',
  afterMs: leaseSeconds * 1_000 * lookedAtPerLease,
});

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

const actorIn = (asked: ConsoleAsked | null): string => (asked?.is === 'attach' ? asked.actor : '');

/** The terminal that a session has, as its lines name it. */
const terminalOf = ({ status }: CoreConsoleSession) => {
  const { holder = '', actor } = status?.terminal ?? {};
  return { holder, ...(actor === undefined ? {} : { actor }) };
};

const holderIn = (asked: ConsoleAsked | null): string => (asked !== null && 'holder' in asked ? asked.holder : '');

function requestIn(asked: ConsoleAsked | null) {
  if (asked === null) return noRequest;
  const { is: _, holder: __, actor: ___, ...request } = { holder: '', actor: '', ...asked };
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
        : holders.judge(session.status?.terminal?.holder ?? '').pipe(
            Effect.map((seen): Fact<'alive' | 'dead'> => known(seen)),
            Effect.catch((failure) => Effect.succeed(unknown(why(failure)))),
          ),
    actions: patching<ConsoleSessionAction, Writing<CoreConsoleSession, ConsoleSessionFacts>, Fields>({
      recordStart: ({ at }) => ({ startedAt: at }),
      holdTerminal: ({ at, facts: { asked } }) => ({
        terminal: { holder: holderIn(asked), actor: actorIn(asked), since: at },
      }),
      releaseTerminal: () => ({ terminal: null }),
      expire: ended('Session timeout'),
      close: ended('Terminal closed'),
      closeStream: ended('Stream ended'),
      logOpened: ({ moved }) => ({ owedLines: owing(moved.status, 'opened', terminalOf(moved)) }),
      logClosed: ({ object, moved }) => ({ owedLines: owing(moved.status, 'closed', terminalOf(object)) }),
    }),
    ensures: {
      // The process with the socket keeps the terminal open.
      terminalOpen: { run: () => Effect.succeed(waitsForHolder(holders)) },
    },
  });
}

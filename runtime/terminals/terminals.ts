import { Effect, FiberSet, type Scope } from 'effect';
import { consoleSessions } from '../services/cluster/kinds.ts';
import type { Cluster } from '../services/cluster/cluster.ts';
import type { Exec } from '../services/exec.ts';
import { errorMessage } from '../../rules/errorMessage.ts';
import { claimSession } from './claim.ts';
import { type Ending, retrying } from './ending.ts';
import { holderOf } from '../controllers/consoleSession/observe.ts';
import { type SessionLease, makeSessionLease } from './holding.ts';
import { linesAbout, type TerminalLines } from '../controllers/consoleSession/actions/owedLines.ts';
import { openTerminal } from './open.ts';
import { type Sessions, sessionsOf } from './sessions.ts';
import { type Attached, type AttachRequest, type EndReason, refused } from './terminal.ts';
import type { TerminalsOptions } from './options.ts';

/** The most open and waiting terminals; more are refused, to protect the process. */
export const terminalLimits = { open: 200, waiting: 64 } as const;

/** The terminals whose sockets are in this process. */
export interface Terminals {
  readonly attach: (request: AttachRequest) => Effect.Effect<Attached, never, Cluster | Exec>;
  /** The number of terminals that are open or whose end is not recorded yet. */
  readonly count: () => number;
  /** Ends all terminals and refuses new ones; waits until their ends are recorded, within some seconds. */
  readonly stop: Effect.Effect<void>;
}

const stopWithinMs = 8_000;

/** Ends each open terminal that no longer holds its session. Returns the unsubscriber. */
const endTaken = (sessions: Sessions, open: ReadonlyMap<string, Ending>) =>
  sessions.caches.of(consoleSessions).onChange(({ type, object }) => {
    for (const [holder, one] of open)
      if (one.session.metadata.name === object.metadata.name) {
        const { phase, terminal } = object.status ?? {};
        const isOurs = type !== 'deleted' && phase === 'Active' && terminal?.holder === holder;
        if (!isOurs) one.end(phase === 'Expired' ? 'limit' : 'taken');
      }
  });

/** Ends what may have been recorded for a holder that never opened a terminal. */
const abandon = Effect.fnUntraced(function* (
  {
    sessions,
    holding,
    lines,
  }: { readonly sessions: Sessions; readonly holding: SessionLease; readonly lines: TerminalLines },
  { session, by }: AttachRequest,
  holder: string,
) {
  yield* sessions.decide(session, { is: 'endTerminal', holder }, by).pipe(Effect.retry(retrying), Effect.ignore);
  yield* lines.settle(session).pipe(Effect.retry(retrying), Effect.ignore);
  yield* holding.letGo(holder);
});

export const makeTerminals = Effect.fnUntraced(function* ({
  operator,
  holders,
  log,
}: TerminalsOptions): Effect.fn.Return<Terminals, never, Cluster | Exec | Scope.Scope> {
  const sessions = sessionsOf(operator);
  const open = new Map<string, Ending>();
  const ends = yield* FiberSet.make();
  const run = yield* FiberSet.runtime(ends)<Cluster | Exec>();
  let waiting = 0;
  let numbered = 0;
  let isStopping = false;
  const aboutOne = (holder: string) =>
    linesAbout(holder, (message, fields) => Effect.sync(() => log('info', message, fields)));

  const holding = makeSessionLease(holders, (reason) => {
    log('warn', 'lost terminal lease', { error: reason });
    for (const one of open.values()) one.end('broken');
  });
  yield* Effect.forkScoped(holding.keep);
  const unsubscribe = endTaken(sessions, open);
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      unsubscribe();
      for (const one of open.values()) one.drop();
    }),
  );

  const attach = Effect.fnUntraced(function* (
    request: AttachRequest,
  ): Effect.fn.Return<Attached, never, Cluster | Exec> {
    const holder = holderOf(holders.lease, ++numbered);
    const found = yield* claimSession(sessions, holding, request, holder).pipe(
      Effect.catch((failure) =>
        Effect.succeed(refused('unavailable', `the Kubernetes API does not answer: ${errorMessage(failure)}`)),
      ),
    );
    if (!('is' in found))
      return yield* openTerminal({
        session: found,
        request,
        holder,
        sessions,
        lines: aboutOne(holder),
        log,
        run,
        began: (ending) => open.set(holder, ending),
        over: (after) => {
          open.delete(holder);
          return Effect.andThen(after, holding.letGo(holder));
        },
      });
    if (holders.own.has(holder)) {
      // Without a response the session may still be ours, so it is ended like any other.
      if (found.is === 'refused' && found.why === 'unavailable')
        run(abandon({ sessions, holding, lines: aboutOne(holder) }, request, holder));
      else yield* holding.letGo(holder);
    }
    return found;
  });

  return {
    attach: (request) =>
      Effect.suspend(() => {
        if (isStopping || open.size >= terminalLimits.open || waiting >= terminalLimits.waiting)
          return Effect.succeed(refused('full', 'too many terminals are open, try again later'));
        waiting++;
        return Effect.ensuring(
          attach(request),
          Effect.sync(() => void waiting--),
        );
      }),
    count: () => open.size,
    stop: Effect.suspend(() => {
      isStopping = true;
      for (const one of open.values()) one.end('stopping' satisfies EndReason);
      return Effect.ignore(Effect.timeout(FiberSet.awaitEmpty(ends), stopWithinMs));
    }),
  };
});

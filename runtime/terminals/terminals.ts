import { Clock, Effect, FiberSet, Latch, type Scope } from 'effect';
import type { CoreConsoleSession } from '../../crds/coreConsoleSession.ts';
import { attachText, originForeign } from '../../rules/consoleSession/attach.ts';
import { noRequest } from '../../rules/consoleSession/facts.ts';
import { consoleSessionLimits as limits } from '../../rules/consoleSession/limits.ts';
import { startCommand } from '../../rules/consoleSession/start.ts';
import { targetNamespace } from '../../rules/consoleSession/target.ts';
import { limitAt } from '../../rules/consoleSession/timeout.ts';
import { msOf } from '../../rules/time.ts';
import { consoleSessions } from '../services/cluster/kinds.ts';
import { Cluster } from '../services/cluster/cluster.ts';
import { Exec } from '../services/exec.ts';
import { errorMessage } from '../../rules/errorMessage.ts';
import { type Ending, endTerminal, retrying } from './ending.ts';
import { holderOf } from '../controllers/consoleSession/observe.ts';
import { makeHolding } from './holding.ts';
import { withoutMark } from './marked.ts';
import { linesAbout } from '../controllers/consoleSession/actions/owedLines.ts';
import { sessionIn, sessionsOf } from './sessions.ts';
import { type Attached, type AttachRefusal, type AttachRequest, type EndReason, refused } from './terminal.ts';
import type { TerminalsGiven } from './given.ts';

/** More than these are refused, so that neither a loop nor a crowd takes the process with it. */
export const terminalLimits = { open: 200, waiting: 64 } as const;

/** The terminals whose sockets this process has. */
export interface Terminals {
  readonly attach: (request: AttachRequest) => Effect.Effect<Attached, never, Cluster | Exec>;
  /** The terminals that are open, or whose end is still to be recorded. */
  readonly count: () => number;
  /** Ends all of them and opens no more; waits until their ends are recorded, within some seconds. */
  readonly stop: Effect.Effect<void>;
}

const activationSeenWithinMs = 1_000;
const stopWithinMs = 8_000;

export const makeTerminals = Effect.fnUntraced(function* ({
  operator,
  holders,
  log,
}: TerminalsGiven): Effect.fn.Return<Terminals, never, Cluster | Exec | Scope.Scope> {
  const sessions = sessionsOf(operator);
  const open = new Map<string, Ending>();
  const ends = yield* FiberSet.make();
  const run = yield* FiberSet.runtime(ends)<Cluster | Exec>();
  let waiting = 0;
  let numbered = 0;
  let isStopping = false;
  const aboutOne = (holder: string) =>
    linesAbout(holder, (message, fields) => Effect.sync(() => log('info', message, fields)));

  const holding = makeHolding(holders, (reason) => {
    log('warn', 'lost terminal lease', { why: reason });
    for (const one of open.values()) one.end('broken');
  });
  yield* Effect.forkScoped(holding.keep);
  const unsubscribe = sessions.caches.of(consoleSessions).onChange(({ type, object }) => {
    for (const [holder, one] of open)
      if (one.session.metadata.name === object.metadata.name) {
        const { phase, terminal } = object.status ?? {};
        const isOurs = type !== 'deleted' && phase === 'Active' && terminal?.holder === holder;
        if (!isOurs) one.end(phase === 'Expired' ? 'limit' : 'taken');
      }
  });
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      unsubscribe();
      for (const one of open.values()) one.drop();
    }),
  );

  /** Decides until it is no longer only to wait: a new session is active a moment later. */
  const decided = Effect.fnUntraced(function* (request: AttachRequest, holder: string) {
    const { byCookie, originMatches, session, by } = request;
    const startedAt = yield* Clock.currentTimeMillis;
    const change = Latch.makeUnsafe(false);
    const unsubscribe = sessions.onChange(session, () => change.openUnsafe());
    yield* Effect.addFinalizer(() => Effect.sync(unsubscribe));
    for (;;) {
      change.closeUnsafe();
      const attachWaitedMs = Math.max(0, (yield* Clock.currentTimeMillis) - startedAt);
      const asked = { is: 'attach', holder, actor: by, byCookie, originMatches, attachWaitedMs } as const;
      const found = yield* sessions.decide(session, asked, by);
      if (found.event !== 'attachAwaited') return found;
      yield* Effect.raceFirst(Effect.sleep(activationSeenWithinMs), change.await);
    }
  }, Effect.scoped);

  const record = Effect.fnUntraced(function* (request: AttachRequest, holder: string) {
    const found = yield* sessions.find(request.session);
    if (found === null || !request.isOf(found)) return absent(request);
    // A session that is over needs no Lease to be refused.
    if (found.status?.endedAt === undefined || found.status.endedAt === null) yield* holding.take(holder);
    const { event, text, ...rest } = yield* decided(request, holder);
    const session = sessionIn({ event, text, ...rest });
    if (event === 'attached' && session !== null && session.status?.terminal?.holder === holder) return session;
    if (event === null) return refused('lateAttachRefused', 'console session has ended');
    return refused(event as AttachRefusal, text);
  });

  const opened = Effect.fnUntraced(function* (request: AttachRequest, holder: string, session: CoreConsoleSession) {
    const { spec } = session;
    const lines = aboutOne(holder);
    yield* lines.write({ line: 'opened', actor: request.by }, session);
    run(Effect.ignore(lines.settle(session.metadata.name)));
    const pod = { name: spec.pod, namespace: targetNamespace(spec) };
    const asGiven = spec.command ?? [];
    const command = request.interactive ? startCommand(asGiven, holder) : asGiven;
    const now = yield* Clock.currentTimeMillis;
    const until = limitAt({ now, startedAt: msOf(session.status?.startedAt ?? ''), ...spec }, limits);
    const ending = endTerminal({
      session,
      holder,
      pod,
      request,
      until,
      sessions,
      lines,
      log,
      run,
      over: (after) => {
        open.delete(holder);
        return Effect.andThen(after, holding.letGo(holder));
      },
    });
    open.set(holder, ending);
    const exec = yield* Exec;
    const asked = { container: spec.container, command, interactive: request.interactive };
    const stream = yield* exec.open(pod, asked).pipe(
      Effect.catch((failure) => {
        ending.end('broken');
        return Effect.succeed(`the terminal could not be opened: ${errorMessage(failure)}`);
      }),
    );
    if (typeof stream === 'string') return refused('execRefused', stream);
    const unmarked = ending.has(command === asGiven ? stream : withoutMark(stream, ending.shellIs));
    return {
      is: 'open',
      terminal: { session, stream: unmarked, limitAt: until, end: ending.end, onEnd: ending.onEnd },
    };
  });

  const attach = Effect.fnUntraced(function* (
    request: AttachRequest,
  ): Effect.fn.Return<Attached, never, Cluster | Exec> {
    const holder = holderOf(holders.lease, ++numbered);
    const found = yield* record(request, holder).pipe(
      Effect.catch((failure) =>
        Effect.succeed(refused('unavailable', `the Kubernetes API does not answer: ${errorMessage(failure)}`)),
      ),
    );
    if (!('is' in found)) return (yield* opened(request, holder, found)) as Attached;
    if (holders.own.has(holder)) {
      // Without an answer the session may be ours nevertheless, and is let go of like any other.
      if (found.is === 'refused' && found.why === 'unavailable') abandon(request, holder);
      else yield* holding.letGo(holder);
    }
    return found;
  });

  /** Ends what may have been recorded, without a terminal ever having been there. */
  function abandon({ session, by }: AttachRequest, holder: string) {
    run(
      Effect.gen(function* () {
        yield* sessions.decide(session, { is: 'endTerminal', holder }, by).pipe(Effect.retry(retrying), Effect.ignore);
        yield* aboutOne(holder).settle(session).pipe(Effect.retry(retrying), Effect.ignore);
        yield* holding.letGo(holder);
      }),
    );
  }

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

/** What is said of a session that does not exist, or is of something else. */
function absent({ byCookie, originMatches }: AttachRequest): Attached {
  const asked = { ...noRequest, byCookie, originMatches };
  const { text } = attachText('absent', asked, limits);
  return refused(originForeign(asked) ? 'originRefused' : 'sessionMissed', text);
}

import { Clock, Effect, type Fiber, Latch, Schedule } from 'effect';
import type { CoreConsoleSession } from '../../crds/coreConsoleSession.ts';
import { hangUpCommand, isPlainShell } from '../../rules/consoleSession/start.ts';
import type { Cluster, Name } from '../services/cluster/cluster.ts';
import type { Exec, ExecStream } from '../services/exec.ts';
import { errorMessage } from '../../rules/errorMessage.ts';
import { historyOf } from '../step/history.ts';
import { hangUpBy } from '../controllers/consoleSession/actions/hangUp.ts';
import type { TerminalLines } from '../controllers/consoleSession/actions/owedLines.ts';
import type { Sessions } from './sessions.ts';
import type { AttachRequest, EndReason, OpenTerminal } from './terminal.ts';
import type { TerminalsOptions } from './options.ts';

/** One terminal, and everything that may end it. */
export interface Ending extends Pick<OpenTerminal, 'end' | 'onEnd' | 'session'> {
  /** Sets its streams, and returns them for the listener. */
  readonly has: (stream: ExecStream) => ExecStream;
  /** Sets the process id of its shell. */
  readonly shellIs: (pid: number) => void;
  /** Drops the streams without recording anything, as a dying process does. */
  readonly drop: () => void;
}

export interface EndingOptions extends Pick<TerminalsOptions, 'log'> {
  readonly session: CoreConsoleSession;
  readonly holder: string;
  readonly pod: Name;
  readonly request: AttachRequest;
  /** Its time limit. */
  readonly until: number;
  readonly sessions: Sessions;
  readonly lines: TerminalLines;
  readonly run: (effect: Effect.Effect<void, never, Cluster | Exec>) => Pick<Fiber.Fiber<void>, 'interruptUnsafe'>;
  /** Called once, with the remaining writes. */
  readonly over: (after: Effect.Effect<void, never, Cluster | Exec>) => Effect.Effect<void, never, Cluster | Exec>;
}

const pidWithinMs = 2_000;
/** The end is recorded once the cluster responds; until then, other processes see the session as held here. */
export const retrying = Schedule.spaced('500 millis');

/** Moves after which the log needs the end of a terminal. */
const closing = ['limitReached', 'holderDied', 'terminalEnded', 'streamEnded'];

/** Records the end of a terminal, with retries. */
export const recordEnd = Effect.fnUntraced(function* ({ session, holder, request, sessions, log }: EndingOptions) {
  const { name } = session.metadata;
  const asked = { is: request.endpoint === 'stream' ? 'endStream' : 'endTerminal', holder } as const;
  let trouble = '';
  const decided = sessions.decide(name, asked, request.by).pipe(
    Effect.tapError((failure) =>
      Effect.sync(() => {
        if (trouble === errorMessage(failure)) return;
        trouble = errorMessage(failure);
        log('warn', 'failed to record end of terminal', { error: trouble });
      }),
    ),
  );
  yield* decided.pipe(Effect.retry(retrying), Effect.orDie);
});

type Settling = Pick<EndingOptions, 'session' | 'lines' | 'request'>;

/** Writes the last line about a terminal, once its end is recorded and its shell has ended. */
export const settleEnd = Effect.fnUntraced(function* ({ session, lines, request }: Settling) {
  const stored = yield* lines.settle(session.metadata.name).pipe(Effect.retry(retrying), Effect.orDie);
  const since = historyOf(session).at(-1)?.seq ?? 0;
  const isMoved = stored !== null && historyOf(stored).some(({ seq, event }) => seq > since && closing.includes(event));
  // A session that was deleted or edited manually has no move that requires the line.
  if (!isMoved) yield* lines.write({ line: 'closed', actor: request.by }, session);
});

/** Sleeps until a time of the wall clock (ms since the epoch), also when that clock is set. */
const sleepUntil = Effect.fnUntraced(function* (until: number) {
  for (;;) {
    const leftMs = until - (yield* Clock.currentTimeMillis);
    if (leftMs <= 0) return;
    yield* Effect.sleep(leftMs);
  }
});

export function endTerminal(options: EndingOptions): Ending {
  const { session, pod, request, until, run, over } = options;
  let ended: EndReason | null = null;
  let stream: ExecStream | null = null;
  let pid: number | null = null;
  let clock: Pick<Fiber.Fiber<void>, 'interruptUnsafe'> | null = null;
  let isHeard = false;
  let isOver = false;
  const isKnown = Latch.makeUnsafe(false);
  const listeners: ((why: EndReason) => void)[] = [];

  const hangUp = Effect.suspend(() => {
    if (pid === null) return Effect.void;
    return hangUpBy(pod, session.spec.container, hangUpCommand(pid));
  });
  /** Waits for a new shell to report its process id to the listener. */
  const pidReported = Effect.suspend(() => {
    if (!request.interactive || !isPlainShell(session.spec.command ?? [])) return Effect.void;
    hearOut();
    return Effect.raceFirst(isKnown.await, Effect.sleep(pidWithinMs));
  });
  const hearOut = () => {
    if (isHeard || stream === null) return;
    isHeard = true;
    stream.listen({ output: () => {}, drained: () => {}, ended: () => {} });
  };
  const end = (why: EndReason) => {
    if (ended !== null) return;
    ended = why;
    clock?.interruptUnsafe();
    for (const listener of listeners) listener(why);
    run(
      Effect.gen(function* () {
        const shellGone = why === 'exited' ? Effect.void : Effect.andThen(pidReported, hangUp);
        const recorded = Effect.all([recordEnd(options), shellGone], { concurrency: 2, discard: true });
        yield* over(Effect.andThen(recorded, settleEnd(options)));
      }).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            isOver = true;
            stream?.close();
          }),
        ),
      ),
    );
  };
  // A limit already passed ends it before there is anything to interrupt.
  clock = run(Effect.map(sleepUntil(until), () => end('limit')));

  return {
    session,
    end,
    onEnd: (listener) => {
      if (ended !== null) listener(ended);
      else listeners.push(listener);
    },
    has: (opened) => {
      stream = opened;
      // It ended before its streams were opened.
      if (isOver) opened.close();
      else if (ended !== null) hearOut();
      return {
        ...opened,
        listen: (listener) => {
          isHeard = true;
          opened.listen(listener);
        },
      };
    },
    shellIs: (id) => {
      pid = id;
      isKnown.openUnsafe();
    },
    drop: () => {
      ended ??= 'broken';
      stream?.close();
    },
  };
}

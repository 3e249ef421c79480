import { Clock, Effect, type Fiber, Schedule } from 'effect';
import type { CoreConsoleSession } from '../../crds/coreConsoleSession.ts';
import { hangUpCommand } from '../../rules/consoleSession/start.ts';
import type { Cluster, Name } from '../services/cluster.ts';
import { Exec, type ExecStream } from '../services/exec.ts';
import { why } from '../services/why.ts';
import { historyOf } from '../step/history.ts';
import type { Sessions } from './sessions.ts';
import type { AttachRequest, EndReason, OpenTerminal } from './terminal.ts';
import type { TerminalsGiven } from './terminals.ts';

/** One terminal and how it comes to its end, whatever that is. */
export interface Ending extends Pick<OpenTerminal, 'end' | 'onEnd' | 'session'> {
  readonly has: (stream: ExecStream) => void;
  /** The process id of its shell. */
  readonly shellIs: (pid: number) => void;
}

interface EndingGiven extends Pick<TerminalsGiven, 'log'> {
  readonly session: CoreConsoleSession;
  readonly holder: string;
  readonly pod: Name;
  readonly request: AttachRequest;
  /** When its time is over. */
  readonly until: number;
  readonly sessions: Sessions;
  readonly run: (effect: Effect.Effect<void, never, Cluster | Exec>) => Pick<Fiber.Fiber<void>, 'interruptUnsafe'>;
  /** Called once, with what is left to be written. */
  readonly over: (after: Effect.Effect<void, never, Cluster>) => Effect.Effect<void, never, Cluster>;
}

const hangUpWithinMs = 5_000;
/** The end is recorded as soon as the cluster answers; until then other processes see this one hold the session. */
export const retrying = Schedule.spaced('500 millis');

/** Waits for the end of a command. */
const ofStream = (stream: ExecStream) =>
  Effect.callback<void>((resume) => {
    stream.listen({ output: () => {}, drained: () => {}, ended: () => resume(Effect.void) });
    return Effect.sync(stream.close);
  });

/** Moves that end the holding of a terminal, and are told to the log by whoever recorded them. */
const closing = ['limitReached', 'holderDied', 'terminalEnded', 'streamEnded'];

export function endTerminal(given: EndingGiven): Ending {
  const { session, holder, pod, request, until, sessions, run, over, log } = given;
  let ended: EndReason | null = null;
  let stream: ExecStream | null = null;
  let pid: number | null = null;
  const listeners: ((why: EndReason) => void)[] = [];

  const hangUp = Effect.suspend(() => {
    if (pid === null) return Effect.void;
    const command = hangUpCommand(pid);
    return Effect.flatMap(Exec, (exec) =>
      exec.open(pod, { container: session.spec.container, command, interactive: false }),
    ).pipe(Effect.flatMap(ofStream), Effect.timeout(hangUpWithinMs), Effect.ignore);
  });
  const recorded = Effect.gen(function* () {
    const { name } = session.metadata;
    const asked = { is: request.endpoint === 'stream' ? 'endStream' : 'endTerminal', holder } as const;
    let trouble = '';
    const decided = sessions.decide(name, asked, request.by).pipe(
      Effect.tapError((failure) =>
        Effect.sync(() => {
          if (trouble === why(failure)) return;
          trouble = why(failure);
          log('warn', 'the end of a terminal cannot be recorded', { why: trouble });
        }),
      ),
    );
    const { object } = yield* decided.pipe(Effect.retry(retrying), Effect.orDie);
    const since = historyOf(session).at(-1)?.seq ?? 0;
    const isTold =
      object !== null && historyOf(object).some(({ seq, event }) => seq > since && closing.includes(event));
    const { app, pod: of, actor = '' } = session.spec;
    // A session that was deleted, or written by hand, has no move that tells of it.
    if (!isTold) log('info', 'Console terminal closed', { app, pod: of, actor });
  });

  const end = (why: EndReason) => {
    if (ended !== null) return;
    ended = why;
    clock.interruptUnsafe();
    for (const listener of listeners) listener(why);
    run(
      Effect.gen(function* () {
        const isShellGone = why === 'exited';
        yield* Effect.all([over(recorded), isShellGone ? Effect.void : hangUp], { concurrency: 2, discard: true });
      }).pipe(Effect.ensuring(Effect.sync(() => stream?.close()))),
    );
  };
  const atLimit = Effect.gen(function* () {
    for (;;) {
      const leftMs = until - (yield* Clock.currentTimeMillis);
      if (ended !== null || leftMs <= 0) break;
      yield* Effect.sleep(leftMs);
    }
    end('limit');
  });
  const clock = run(atLimit);

  return {
    session,
    end,
    onEnd: (listener) => {
      if (ended !== null) listener(ended);
      else listeners.push(listener);
    },
    has: (opened) => {
      stream = opened;
      // It ended while its streams were still to be opened.
      if (ended !== null) opened.close();
    },
    shellIs: (id) => {
      pid = id;
    },
  };
}

import { Clock, Effect } from 'effect';
import type { CoreConsoleSession } from '../../crds/coreConsoleSession.ts';
import { consoleSessionLimits as limits } from '../../rules/consoleSession/limits.ts';
import { startCommand } from '../../rules/consoleSession/start.ts';
import { targetNamespace } from '../../rules/consoleSession/target.ts';
import { limitAt } from '../../rules/consoleSession/timeout.ts';
import { msOf } from '../../rules/time.ts';
import type { Cluster } from '../services/cluster/cluster.ts';
import { Exec } from '../services/exec.ts';
import { errorMessage } from '../../rules/errorMessage.ts';
import { type Ending, type EndingOptions, endTerminal } from './ending.ts';
import { withoutMark } from './marked.ts';
import { type Attached, refused } from './terminal.ts';

type OpenOptions = Pick<EndingOptions, 'request' | 'holder' | 'sessions' | 'lines' | 'log' | 'run' | 'over'> & {
  readonly session: CoreConsoleSession;
  /** Called before the streams are open, because the session may end meanwhile. */
  readonly began: (ending: Ending) => void;
};

/** Opens the terminal of a session that this process holds. */
export const openTerminal = Effect.fnUntraced(function* ({
  session,
  began,
  ...options
}: OpenOptions): Effect.fn.Return<Attached, never, Cluster | Exec> {
  const { request, holder, lines, run } = options;
  const { spec } = session;
  yield* lines.write({ line: 'opened', actor: request.by }, session);
  run(Effect.ignore(lines.settle(session.metadata.name)));
  const pod = { name: spec.pod, namespace: targetNamespace(spec) };
  const asGiven = spec.command ?? [];
  const command = request.interactive ? startCommand(asGiven, holder) : asGiven;
  const now = yield* Clock.currentTimeMillis;
  const until = limitAt({ now, startedAt: msOf(session.status?.startedAt ?? ''), ...spec }, limits);
  const ending = endTerminal({ ...options, session, pod, until });
  began(ending);
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

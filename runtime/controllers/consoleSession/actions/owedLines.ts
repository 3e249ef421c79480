import { Effect } from 'effect';
import type { CoreConsoleSession, OwedLine } from '../../../../crds/coreConsoleSession.ts';
import { lineMessages, owedBy, withoutOwed } from '../../../../rules/consoleSession/owedLines.ts';
import { consoleSessions } from '../../../services/cluster/kinds.ts';
import { asSeen, Cluster, type WriteError } from '../../../services/cluster/cluster.ts';
import type { LogFields } from '../../../services/log.ts';

/** Writes the log lines about one terminal, for the process that is responsible for them. */
export interface TerminalLines {
  readonly isWritten: (line: OwedLine['line']) => boolean;
  /** Writes one line, unless this process has written it; the actor is the user who attached. */
  readonly write: (line: Pick<OwedLine, 'line' | 'actor'>, session: CoreConsoleSession) => Effect.Effect<void>;
  /**
   * Writes the owed lines of the stored session, then removes them from the status. After a crash in between they are
   * written once more: a line may be duplicate, but never missing. Null when the session does not exist.
   */
  readonly settle: <R = never>(
    name: string,
    beforeClosed?: (session: CoreConsoleSession) => Effect.Effect<void, never, R>,
  ) => Effect.Effect<CoreConsoleSession | null, WriteError, Cluster | R>;
}

type Say = (message: string, fields: LogFields) => Effect.Effect<void>;

export function linesAbout(holder: string, say: Say): TerminalLines {
  const written = new Set<string>();
  // An older release recorded no actor with a line.
  const write: TerminalLines['write'] = ({ line, actor }, { spec }) =>
    Effect.suspend(() => {
      if (written.has(line)) return Effect.void;
      written.add(line);
      const { app, pod } = spec;
      return say(lineMessages[line], { app, pod, actor: actor ?? spec.actor ?? '' });
    });

  /** Over the version that was read, so that a line added since is not removed unwritten. */
  const settle: TerminalLines['settle'] = Effect.fnUntraced(
    function* (name, beforeClosed = () => Effect.void) {
      const cluster = yield* Cluster;
      const stored = yield* cluster.get(consoleSessions, { name });
      const owed = owedBy(stored.status, holder);
      if (owed.length === 0) return stored;
      if (owed.some(({ line }) => line === 'closed')) yield* beforeClosed(stored);
      for (const line of owed) yield* write(line, stored);
      const patch = withoutOwed(stored.status, holder);
      return yield* cluster.patchStatus(consoleSessions, { name }, patch, asSeen(stored));
    },
    Effect.retry({ while: ({ _tag }) => _tag === 'Conflict', times: 10 }),
    Effect.catchTag('NotFound', () => Effect.succeed(null)),
  );

  return { isWritten: (line) => written.has(line), write, settle };
}

import { Effect } from 'effect';
import { eachOf } from '../../contract/eachOf.ts';
import type { CoreConsoleSession } from '../../../crds/coreConsoleSession.ts';
import { sessionsWithPendingLines } from '../../../rules/consoleSession/owedLines.ts';
import type { LogFields } from '../../services/log.ts';
import { hangUpLeft } from './actions/hangUp.ts';
import type { Holders } from './observe.ts';
import { linesAbout, type TerminalLines } from './actions/owedLines.ts';
import { type Ensured, type Ensuring, holds } from '../../contract/ensure.ts';

/** The share of a Lease's duration after which an expired holder is noticed. */
const lookedAtPerLease = 0.15;

/**
 * Writes the log lines of terminals whose holder is dead, after hanging up their shells; a living holder writes its
 * own.
 */
export function linesWritten(holders: Holders) {
  const say = (message: string, fields: LogFields) => Effect.annotateLogs(Effect.logInfo(message), fields);
  /** Kept until removed from the status, so that a failed write duplicates no line. */
  const unsettled = new Map<string, TerminalLines>();
  const settled = Effect.fnUntraced(function* ({ metadata }: CoreConsoleSession, holder: string) {
    const lines = unsettled.get(holder) ?? linesAbout(holder, say);
    unsettled.set(holder, lines);
    // A lagging cache may show a line that its holder already wrote; the stored session decides.
    yield* lines.settle(metadata.name, (stored) => hangUpLeft(stored, holder));
    unsettled.delete(holder);
  });
  return Effect.fnUntraced(function* ({ object }: Ensuring<CoreConsoleSession>) {
    const ended = yield* eachOf(sessionsWithPendingLines(object.status), (holder) =>
      Effect.flatMap(holders.judge(holder), (is) =>
        is === 'dead' ? Effect.as(settled(object, holder), true) : Effect.succeed(false),
      ),
    );
    return ended.includes(false) ? waitsForHolder(holders) : holds;
  });
}

/** Requeues, because only a pass notices a dead process. */
export const waitsForHolder = ({ leaseSeconds }: Holders): Ensured => ({
  is: 'waits',
  afterMs: leaseSeconds * 1_000 * lookedAtPerLease,
});

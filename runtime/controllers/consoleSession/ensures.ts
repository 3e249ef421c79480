import { Effect } from 'effect';
import type { CoreConsoleSession } from '../../../crds/coreConsoleSession.ts';
import { sessionsWithPendingLines } from '../../../rules/consoleSession/owedLines.ts';
import type { LogFields } from '../../services/log.ts';
import { hangUpLeft } from './actions/hangUp.ts';
import type { Holders } from './observe.ts';
import { linesAbout, type TerminalLines } from './actions/owedLines.ts';
import { type Ensured, type Ensuring, holds } from '../../contract/ensure.ts';

/** How much of a Lease may pass until a holder that let it run out is noticed. */
const lookedAtPerLease = 0.15;

/**
 * Whoever holds a terminal writes the lines about it. For a holder that is dead they are written here, after its shell
 * is hung up.
 */
export function linesWritten(holders: Holders) {
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
    for (const holder of sessionsWithPendingLines(object.status))
      if ((yield* holders.judge(holder)) === 'dead') yield* settled(object, holder);
      else isWaiting = true;
    return isWaiting ? waitsForHolder(holders) : holds;
  });
}

/** A pass notices when a process is gone. */
export const waitsForHolder = ({ leaseSeconds }: Holders): Ensured => ({
  is: 'waits',
  afterMs: leaseSeconds * 1_000 * lookedAtPerLease,
});

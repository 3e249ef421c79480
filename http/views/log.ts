import type { CoreBuild } from '../../crds/coreBuild.ts';
import { isoTime, msOf } from '../../rules/time.ts';

/** How long a finished Job, its pods and their logs are kept (document 000, Build execution rules). */
const logKeptMs = 3_600_000;

/** Whether the log was uploaded before its pod was deleted. */
export const isArchivedLog = ({ status }: CoreBuild): boolean => status?.logRef?.startsWith('object://') === true;

const endings: Readonly<Record<string, string>> = {
  Succeeded: 'ended',
  Failed: 'failed',
  Cancelled: 'was cancelled',
};

/** When a finished run ended; null if the status does not say. */
function endedAt({ status }: CoreBuild): number | null {
  const entered = status?.history?.findLast(({ from, to }) => from !== to);
  const ended = msOf(status?.completedAt ?? entered?.at ?? '');
  return Number.isNaN(ended) ? null : ended;
}

/** Why a build without a pod has no log. */
export function missingLogMessage(build: CoreBuild, now: number): string {
  const { phase = '', startedAt } = build.status ?? {};
  const ending = endings[phase];
  if (ending === undefined)
    return phase === 'Running' ? 'The builder has not started yet' : 'The build has not started yet';
  if (typeof startedAt !== 'string') return `The build ${ending} before its Job was created: there is no log`;
  const ended = endedAt(build);
  // Cancelling deletes the Job and its pods at once.
  const goneAt = ended === null ? Number.POSITIVE_INFINITY : phase === 'Cancelled' ? ended : ended + logKeptMs;
  return now >= goneAt ? `The log is gone since ${isoTime(goneAt)}` : 'The log is gone: no pod of this run is left';
}

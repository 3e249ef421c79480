import type { CoreBuild } from '../../crds/coreBuild.ts';
import { isoTime, msOf } from '../../rules/time.ts';
import { newestMove } from '../../runtime/history.ts';

/** A finished Job, its pods and their logs are kept for so long (document 000, Build execution rules). */
const logKeptMs = 3_600_000;

/** Whether the log was uploaded before its pod went. */
export const isArchivedLog = ({ status }: CoreBuild): boolean => status?.logRef?.startsWith('object://') === true;

/** When a run ended; null while it runs. */
const finishedAt = (build: CoreBuild): number | null => {
  const { phase, completedAt } = build.status ?? {};
  if (phase !== 'Succeeded' && phase !== 'Failed' && phase !== 'Cancelled') return null;
  const entered = build.status?.history?.findLast(({ to, from }) => to !== from) ?? newestMove(build, 'build');
  const ended = msOf(completedAt ?? entered?.at ?? '');
  return Number.isNaN(ended) ? null : ended;
};

/** Why there is no log of a build that has no pod to read it from. */
export function whyNoLog(build: CoreBuild, now: number): string {
  const { phase = '', startedAt } = build.status ?? {};
  const ended = finishedAt(build);
  if (typeof startedAt !== 'string' && ended !== null)
    return `The build ${phase === 'Cancelled' ? 'was cancelled' : 'failed'} before its Job was created: there is no log`;
  if (ended === null) return phase === 'Running' ? 'The builder has not started yet' : 'The build has not started yet';
  // Cancelling deletes the Job and its pods at once.
  const goneAt = phase === 'Cancelled' ? ended : ended + logKeptMs;
  return now >= goneAt ? `The log is gone since ${isoTime(goneAt)}` : 'The log is gone: no pod of this run is left';
}

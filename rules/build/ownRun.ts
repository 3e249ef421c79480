import type { CoreBuild } from '../../crds/coreBuild.ts';
import type { KubeObject } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
import { msOf } from '../time.ts';

/** When the run of a build came to its end, its Job having run; null while it may yet get a Job, or has one. */
function endOf({ status = {} }: CoreBuild): number | null {
  const { phase, logRef, history = [] } = status;
  if (!logRef || (phase !== 'Succeeded' && phase !== 'Failed')) return null;
  const ended = history.findLast(({ from, to }) => to === phase && from !== to);
  return ended ? msOf(ended.at) : null;
}

/**
 * Whether a Job belongs to the run that its build tells of. One that names no run belongs to none, also where no run is
 * claimed. One that was made after the run was over is the late wish of a leader that stood still: it would push an
 * image that nobody records.
 */
export function isOfRun({ metadata }: KubeObject, build: CoreBuild): boolean {
  const run = metadata.annotations?.[annotation.run];
  if (run === undefined || run !== build.status?.startedAt) return false;
  const end = endOf(build);
  return end === null || !(msOf(metadata.creationTimestamp ?? '') > end);
}

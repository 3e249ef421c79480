import type { CoreBuild } from '../../crds/coreBuild.ts';
import type { KubeObject } from '../../crds/kind.ts';
import { annotation } from '../../crds/names.ts';
import { msOf } from '../time.ts';

/** When the run of a build ended, after its Job ran; null while it has a Job or may still get one. */
function endOf({ status = {} }: CoreBuild): number | null {
  const { phase, logRef, history = [] } = status;
  if (!logRef || (phase !== 'Succeeded' && phase !== 'Failed')) return null;
  const ended = history.findLast(({ from, to }) => to === phase && from !== to);
  return ended ? msOf(ended.at) : null;
}

/**
 * Whether a Job belongs to the current run of a build. A Job that names no run belongs to none, even when no run is
 * claimed. A Job created after the run ended comes from a leader that was paused: its image would never be recorded.
 */
export function isOfRun({ metadata }: KubeObject, build: CoreBuild): boolean {
  const run = metadata.annotations?.[annotation.run];
  if (run === undefined || run !== build.status?.startedAt) return false;
  const end = endOf(build);
  return end === null || !(msOf(metadata.creationTimestamp ?? '') > end);
}

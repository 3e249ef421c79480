import type { CoreBuild } from '../../crds/coreBuild.ts';
import { newestFirst } from '../newest.ts';

/** The current build of a service: the one it names, otherwise the newest (000 The current build of a service). */
export function currentBuild(named: string | undefined, builds: readonly CoreBuild[]): CoreBuild | undefined {
  const current = builds.find(({ metadata }) => metadata.name === named);
  return current ?? (named === undefined || named === '' ? builds.toSorted(newestFirst)[0] : undefined);
}

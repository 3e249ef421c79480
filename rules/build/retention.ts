import type { CoreBuild } from '../../crds/coreBuild.ts';
import { newestFirst } from '../newest.ts';
import { msOf } from '../time.ts';
import { imageByDigest } from './image.ts';

const finishedKept = 10;
const finished: readonly string[] = ['Succeeded', 'Failed', 'Cancelled'];

const endedAt = ({ status, metadata }: CoreBuild) => msOf(status?.completedAt ?? metadata.creationTimestamp ?? '') || 0;

/** What a service uses: its current build, and the image it runs. */
export interface InUse {
  readonly currentBuild: string;
  readonly resolvedImage: string;
}

const isUsed = ({ currentBuild, resolvedImage }: InUse, { metadata, status }: CoreBuild) =>
  metadata.name === currentBuild ||
  (resolvedImage !== '' &&
    typeof status?.imageDigest === 'string' &&
    imageByDigest(status.image ?? '', status.imageDigest) === resolvedImage);

/**
 * The oldest finished builds of one service beyond the newest 10, never one the service uses (000 Build execution
 * rules 9; decisions 48 and 49).
 */
export const outlived = (builds: readonly CoreBuild[], inUse: InUse): readonly CoreBuild[] =>
  builds
    .filter((build) => finished.includes(build.status?.phase ?? ''))
    .toSorted((a, b) => endedAt(b) - endedAt(a) || newestFirst(a, b))
    .slice(finishedKept)
    .filter((build) => !isUsed(inUse, build));

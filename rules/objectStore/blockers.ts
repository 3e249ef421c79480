import { snapshotMissing } from '../draftDeploy/gate.ts';
import { environmentMissing, projectMissing, projectNotReady } from '../project/missing.ts';
import {
  applied,
  awaited,
  counted,
  type Blocker,
  blockerAmong,
  isBlockedBy,
  permanent,
} from '../provision/blockers.ts';
import { external, hidden, open, sentence } from '../words.ts';
import type { ObjectStoreSeen } from './facts.ts';

type Rule = Blocker<ObjectStoreSeen>;
const named = ({ server }: ObjectStoreSeen) => ({ server: hidden(server.name) });

/** Everything that keeps an object store from being ready, in the order checked. */
export const objectStoreBlockers: readonly Rule[] = [
  counted({ when: ({ gate }) => gate === 'SnapshotMissing', message: () => snapshotMissing }),
  permanent({ when: ({ unsupported }) => unsupported !== '', message: ({ unsupported }) => external(unsupported) }),
  // Its contents are in the first bucket, and would be left behind.
  permanent({
    when: ({ movedFrom }) => movedFrom !== '',
    message: ({ movedFrom }) =>
      sentence('the bucket of an object store cannot change (it is {bucket})', { bucket: hidden(movedFrom) }),
  }),
  counted({ when: ({ project }) => project.is === 'absent', message: ({ project }) => projectMissing(project.name) }),
  counted({
    when: ({ project }) => project.is === 'notReady',
    message: ({ project }) => projectNotReady(project.name),
  }),
  counted({
    when: ({ project }) => project.is === 'withoutEnvironment',
    message: ({ project, environment }) => environmentMissing(project.name, environment),
  }),
  counted({ when: ({ cloud }) => cloud !== null, message: ({ cloud }) => external(cloud ?? '') }),
  counted({
    when: ({ server }) => server.is === 'absent',
    message: (seen) => sentence('object store server "{server}" was not found', named(seen)),
  }),
  permanent({
    when: ({ server }) => server.is === 'notServer',
    message: (seen) => sentence('object store "{server}" is not a server', named(seen)),
  }),
  counted({
    when: ({ lackingTags }) => lackingTags.length > 0,
    message: ({ lackingTags }) =>
      sentence('This object store server does not run on nodes tagged {tags}, which the project requires', {
        tags: hidden(lackingTags.join(', ')),
      }),
  }),
  awaited({
    when: ({ server }) => server.is === 'notReady',
    message: (seen) => sentence('object store server "{server}" is not ready', named(seen)),
  }),
  applied(
    counted({
      when: ({ bucket }) => bucket?.is === 'failing',
      message: ({ bucket }) =>
        sentence('The bucket is not working: {error}', { error: hidden(bucket?.is === 'failing' ? bucket.error : '') }),
    }),
  ),
  applied(counted({ when: ({ failure }) => failure !== null, message: ({ failure }) => external(failure ?? '') })),
  applied(
    awaited({
      when: ({ mode, bucket }) => mode === 'Bucket' && bucket?.is !== 'working',
      message: ({ bucket }) =>
        sentence('The bucket is being made{why}', { why: hidden(bucket?.is === 'waiting' ? `: ${bucket.why}` : '') }),
    }),
  ),
  applied(
    awaited({ when: ({ isCurrent, runs }) => !isCurrent || !runs, message: () => open('Object store is starting') }),
  ),
];

export const objectStoreBlocker = (seen: ObjectStoreSeen): Rule | undefined => blockerAmong(objectStoreBlockers, seen);

/** Whether a blocker forbids to apply anything. */
export const isObjectStoreBlocked = (seen: ObjectStoreSeen): boolean => isBlockedBy(objectStoreBlockers, seen);

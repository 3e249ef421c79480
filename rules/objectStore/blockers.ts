import { byFailedAction } from '../cause/failedAction.ts';
import { itself, waitsFor } from '../cause/rule.ts';
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
import { byAwaitedBucket, byConnection, byFailingBucket, byStartingStore } from './causes.ts';
import type { ObjectStoreSeen } from './facts.ts';

type Rule = Blocker<ObjectStoreSeen>;
const projectOf = ({ project }: ObjectStoreSeen) => ({ kind: 'CoreProject', name: project.name });
const serverOf = ({ server }: ObjectStoreSeen) => ({ kind: 'CoreObjectStore', name: server.name });
const named = ({ server }: ObjectStoreSeen) => ({ server: hidden(server.name) });

/** Everything that keeps an object store from being ready, in the order checked. */
export const objectStoreBlockers: readonly Rule[] = [
  counted({
    when: ({ gate }) => gate === 'SnapshotMissing',
    message: () => snapshotMissing,
    cause: itself('SettingRefused'),
  }),
  permanent({
    when: ({ unsupported }) => unsupported !== '',
    message: ({ unsupported }) => external(unsupported),
    cause: itself('SettingRefused'),
  }),
  // Its contents are in the first bucket, and would be left behind.
  permanent({
    when: ({ movedFrom }) => movedFrom !== '',
    message: ({ movedFrom }) =>
      sentence('the bucket of an object store cannot change (it is {bucket})', { bucket: hidden(movedFrom) }),
    cause: itself('SettingRefused'),
  }),
  counted({
    when: ({ project }) => project.is === 'absent',
    message: ({ project }) => projectMissing(project.name),
    cause: itself('ProjectMissing', projectOf),
  }),
  counted({
    when: ({ project }) => project.is === 'notReady',
    message: ({ project }) => projectNotReady(project.name),
    cause: waitsFor('ProjectNotReady', projectOf),
  }),
  counted({
    when: ({ project }) => project.is === 'withoutEnvironment',
    message: ({ project, environment }) => environmentMissing(project.name, environment),
    cause: itself('EnvironmentMissing', projectOf),
  }),
  counted({
    when: ({ cloud }) => cloud !== null,
    message: ({ cloud }) => external(cloud?.why ?? ''),
    cause: byConnection,
  }),
  counted({
    when: ({ server }) => server.is === 'absent',
    message: (seen) => sentence('object store server "{server}" was not found', named(seen)),
    cause: itself('ServerMissing', serverOf),
  }),
  permanent({
    when: ({ server }) => server.is === 'notServer',
    message: (seen) => sentence('object store "{server}" is not a server', named(seen)),
    cause: itself('SettingRefused', serverOf),
  }),
  counted({
    when: ({ lackingTags }) => lackingTags.length > 0,
    message: ({ lackingTags }) =>
      sentence('This object store server does not run on nodes tagged {tags}, which the project requires', {
        tags: hidden(lackingTags.join(', ')),
      }),
    cause: itself('SettingRefused', serverOf),
  }),
  awaited({
    when: ({ server }) => server.is === 'notReady',
    message: (seen) => sentence('object store server "{server}" is not ready', named(seen)),
    cause: waitsFor('ServerNotReady', serverOf),
  }),
  applied(
    counted({
      when: ({ bucket }) => bucket?.is === 'failing',
      message: ({ bucket }) =>
        sentence('The bucket is not working: {error}', { error: hidden(bucket?.is === 'failing' ? bucket.error : '') }),
      cause: byFailingBucket,
    }),
  ),
  applied(
    counted({
      when: ({ failure }) => failure !== null,
      message: ({ failure }) => external(failure?.why ?? ''),
      cause: byFailedAction,
    }),
  ),
  applied(
    awaited({
      when: ({ mode, bucket }) => mode === 'Bucket' && bucket?.is !== 'working',
      message: ({ bucket }) =>
        sentence('The bucket is being made{why}', { why: hidden(bucket?.is === 'waiting' ? `: ${bucket.why}` : '') }),
      cause: byAwaitedBucket,
    }),
  ),
  applied(
    awaited({
      when: ({ isCurrent, runs }) => !isCurrent || !runs,
      message: () => open('Object store is starting'),
      cause: byStartingStore,
    }),
  ),
];

export const objectStoreBlocker = (seen: ObjectStoreSeen): Rule | undefined => blockerAmong(objectStoreBlockers, seen);

/** Whether a blocker forbids to apply anything. */
export const isObjectStoreBlocked = (seen: ObjectStoreSeen): boolean => isBlockedBy(objectStoreBlockers, seen);

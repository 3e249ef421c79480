import type { ObjectStoreSeen } from '../../../rules/objectStore/facts.ts';
import type { ObjectStoreStanding } from '../../../rules/objectStore/ready.ts';
import { counted, type Blocker, permanent, waiting } from '../provision/hindering.ts';

/** The first message that applies before the object store is ready. */
export const blockerIn = (seen: ObjectStoreSeen): Blocker =>
  asked(seen) ?? inProject(seen) ?? onServer(seen) ?? tried(seen) ?? coming(seen);

function asked({ gate, unsupported, movedFrom }: ObjectStoreSeen): Blocker {
  if (gate === 'SnapshotMissing') return counted('OBS-024');
  if (unsupported) return permanent('OBS-025');
  return movedFrom ? permanent('OBS-026') : null;
}

function inProject({ project, cloud }: ObjectStoreSeen): Blocker {
  if (project.is === 'absent') return counted('OBS-027');
  if (project.is === 'notReady') return counted('OBS-028');
  if (project.is === 'withoutEnvironment') return counted('OBS-029');
  return cloud === null ? null : counted('OBS-030');
}

function onServer({ server, lackingTags }: ObjectStoreSeen): Blocker {
  if (server.is === 'absent') return counted('OBS-031');
  if (server.is === 'notServer') return permanent('OBS-032');
  if (lackingTags.length > 0) return counted('OBS-033');
  return server.is === 'notReady' ? waiting('OBS-034') : null;
}

function tried({ bucket, failure }: ObjectStoreSeen): Blocker {
  if (bucket?.is === 'failing') return counted('OBS-035');
  return failure === null ? null : counted('OBS-036');
}

function coming({ mode, bucket, isCurrent, runs }: ObjectStoreSeen): Blocker {
  if (mode === 'Bucket' && bucket?.is !== 'working') return waiting('OBS-037');
  return isCurrent && runs ? null : waiting('OBS-038');
}

/** The id of the Ready message that the documents would show. */
export function readyOf(seen: ObjectStoreStanding): string {
  if (seen.leaving === 'deletion' && seen.failure === null) return seen.unremoved === '' ? 'OBS-041' : 'OBS-041a';
  if (seen.gate === 'Draft') return 'OBS-020';
  if (seen.retrying) return 'OBS-021';
  if (seen.gaveUp !== null) return seen.gaveUp.by === 'failures' ? 'OBS-022' : 'OBS-023';
  return blockerIn(seen)?.id ?? (seen.mode === 'Server' ? 'OBS-039' : 'OBS-040');
}

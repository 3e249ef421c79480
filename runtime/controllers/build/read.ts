import { Effect } from 'effect';
import { builds } from '../../services/cluster/kinds.ts';
import { asSeen, Cluster, type WriteError } from '../../services/cluster/cluster.ts';

export { askHead } from './ask.ts';
export { archivedLog } from './ask/archive.ts';
export { podsOfRun } from './ask/run.ts';
export { connectionSeen } from './observe.ts';

const tries = 5;

/** Records the head of a push that builds nothing, so that following the branch knows that it was delivered. */
export const passedBy = (name: string, head: string): Effect.Effect<void, WriteError, Cluster> =>
  Effect.gen(function* () {
    const cluster = yield* Cluster;
    const build = yield* cluster.get(builds, { name });
    if (build.status?.head !== head) yield* cluster.patchStatus(builds, { name }, { head }, asSeen(build));
  }).pipe(Effect.retry({ times: tries - 1, while: ({ _tag }) => _tag === 'Conflict' }));

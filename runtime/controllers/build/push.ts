import { Effect } from 'effect';
import { builds } from '../../kinds.ts';
import { asSeen, Cluster, type WriteError } from '../../services/cluster.ts';

const tries = 5;

/** Keeps the head of a push that builds nothing: whoever looks at the branch knows that it was told of. */
export const passedBy = (name: string, head: string): Effect.Effect<void, WriteError, Cluster> =>
  Effect.gen(function* () {
    const cluster = yield* Cluster;
    const build = yield* cluster.get(builds, { name });
    if (build.status?.head !== head) yield* cluster.patchStatus(builds, { name }, { head }, asSeen(build));
  }).pipe(Effect.retry({ times: tries - 1, while: ({ _tag }) => _tag === 'Conflict' }));

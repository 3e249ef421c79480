import { Effect } from 'effect';
import { eachOf } from '../../contract/eachOf.ts';
import type { CoreBuild } from '../../../crds/coreBuild.ts';
import { label } from '../../../crds/names.ts';
import type { BuildEnsure } from '../../../machines/names.ts';
import { jobName } from '../../../rules/build/build.ts';
import type { Job } from '../../../crds/builtIn.ts';
import { isOfRun } from '../../../rules/build/ownRun.ts';
import { outlived } from '../../../rules/build/retention.ts';
import { apps, builds } from '../../services/cluster/kinds.ts';
import { done, type Ensure, type Ensured, type Ensuring, holds } from '../../contract/ensure.ts';
import { jobs } from '../../services/cluster/resources.ts';
import { asSeen, Cluster, type ReadError } from '../../services/cluster/cluster.ts';
import { archive, archivedOf, isOfThisRun } from './ask/archive.ts';
import { archivedLogRef } from './observe.ts';
import { logOfRun } from './ask/run.ts';
import { isDeleting } from '../../../rules/deleting.ts';
import { find } from '../../services/cluster/find.ts';

/** The ensures of a build's states. */
export const ensures: Readonly<Record<BuildEnsure, Ensure<CoreBuild>>> = {
  noJob: { run: ({ object, reader }) => removeJob(object, reader, () => true) },
  noOtherJob: {
    run: ({ object, reader }) =>
      removeJob(object, reader, (job, build) => build.status?.phase === 'Cancelled' || !isOfRun(job, build)),
  },
  logArchived: { run: uploadLog, schedule: { firstMs: 30_000, maxMs: 600_000 } },
  // A Failed build is not requeued: the upload is tried only in the pass that ended the run (decision 47). One more
  // pass checks the result.
  logTried: {
    run: (given) => (given.entered ? uploadLog(given).pipe(Effect.orElseSucceed(() => done)) : Effect.succeed(holds)),
  },
  newestTen: { run: removeOutlived },
};

type Unwanted = (job: Job, build: CoreBuild) => boolean;

/**
 * Deletes the build's Job when it is not wanted. The cache may lag for the build as well as for the Job, so the build
 * is read directly first, and the Job is deleted by its uid.
 */
const removeJob = Effect.fnUntraced(function* (
  build: CoreBuild,
  reader: Ensuring<CoreBuild>['reader'],
  unwanted: Unwanted,
) {
  const job = reader.get(jobs, jobName(build.metadata.name));
  if (!job || isDeleting(job) || !unwanted(job, build)) return holds;
  if (!(yield* isStillUnwanted(job, build, unwanted))) return holds;
  const cluster = yield* Cluster;
  const { uid } = job.metadata;
  return yield* cluster.remove(jobs, { name: job.metadata.name }, uid === undefined ? {} : { uid }).pipe(
    Effect.as(holds),
    // Another Job has the name: the next pass decides whether it is wanted.
    Effect.catchTag('Conflict', () => Effect.succeed<Ensured>({ is: 'waits', afterMs: 5_000 })),
  );
});

/** Whether the stored build does not want a Job either; false when the build is deleted or replaced. */
export const isStillUnwanted = Effect.fnUntraced(function* (
  job: Job,
  build: CoreBuild,
  unwanted: Unwanted,
): Effect.fn.Return<boolean, ReadError, Cluster> {
  const now = yield* find(builds, { name: build.metadata.name });
  return now !== null && now.metadata.uid === build.metadata.uid && unwanted(job, now);
});

/** Archives the log of this run, unless the store has it already. */
export function uploadLog({ object: build, reader }: Ensuring<CoreBuild>) {
  return Effect.gen(function* () {
    if (!build.spec.logStoreRef || build.status?.logRef === archivedLogRef(build)) return holds;
    const over = yield* archivedOf(build, reader);
    if (isOfThisRun(over, build)) return done;
    const log = yield* logOfRun(build, reader);
    if (log === null) return holds;
    yield* archive(build, log, { over, reader });
    return done;
  });
}

/** Reads the service directly before anything is deleted: the cache may not know yet which build it runs. */
function removeOutlived({ object: build, reader }: Ensuring<CoreBuild>) {
  return Effect.gen(function* () {
    const siblings = reader.indexed(builds, label.app, build.spec.app);
    if (outlived(siblings, { currentBuild: '', resolvedImage: '' }).length === 0) return holds;
    const cluster = yield* Cluster;
    const app = yield* find(apps, { name: build.spec.app });
    const inUse = {
      currentBuild: app?.status?.currentBuild ?? '',
      resolvedImage: app?.status?.resolvedImage ?? '',
    };
    yield* eachOf(outlived(siblings, inUse), (old) =>
      cluster
        .remove(builds, { name: old.metadata.name }, asSeen(old))
        .pipe(Effect.catchTag('Conflict', () => Effect.void)),
    );
    return holds;
  });
}

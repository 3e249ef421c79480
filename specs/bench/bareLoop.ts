import { Effect, Fiber, Stream } from 'effect';
import type { CoreBuild } from '../../crds/coreBuild.ts';
import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import { jobName } from '../../rules/build/build.ts';
import { builderJob } from '../../rules/build/job.ts';
import { isoTime } from '../../rules/time.ts';
import { eventOfMove, kubeEvent } from '../../runtime/write/kubeEvent.ts';
import { builds } from '../../runtime/services/cluster/kinds.ts';
import { events, jobs, pods } from '../../runtime/services/cluster/resources.ts';
import type { ClusterShape } from '../../runtime/services/cluster/cluster.ts';
import { bareEntry } from './bareEntry.ts';
import { follow } from './follow.ts';

const settings = { builderImage: 'builder', gitImage: 'git', gitUrl: 'https://git.example' };

/**
 * The least that could drain the same builds: two watches, and for each build the very writes that the runtime makes, as
 * constants. No cache, rules, machine, queue or precondition. Returns its end.
 */
export function bareLoop(cluster: ClusterShape): () => Promise<void> {
  const entry = (seq: number, from: string, event: string, to: string) =>
    bareEntry(seq, { machine: 'build', from, event, to });
  const history = [
    entry(1, 'Pending', 'commitResolved', 'Pending'),
    entry(2, 'Pending', 'startCleared', 'Pending'),
    entry(3, 'Pending', 'jobCreated', 'Running'),
    entry(4, 'Running', 'digestFound', 'Succeeded'),
  ];
  const patch = (name: string, status: object) => cluster.patchStatus(builds, { name }, status);
  const tell = (build: KubeObject, move: number) =>
    Effect.ignore(
      cluster.create(events, kubeEvent(builds, build, eventOfMove(history[move] as HistoryEntry, 'Normal'))),
    );

  const begin = (build: CoreBuild) => {
    const { name } = build.metadata;
    const startedAt = isoTime(Date.now());
    return patch(name, { sourceRevision: build.spec.revision, history: history.slice(0, 1) }).pipe(
      Effect.andThen(
        patch(name, { startedAt, jobRef: jobName(name), image: build.spec.registry, history: history.slice(0, 2) }),
      ),
      Effect.andThen(cluster.create(jobs, builderJob(build, startedAt, { region: '', tags: [] }, settings))),
      Effect.andThen(
        patch(name, { phase: 'Running', logRef: `pod-log://${jobName(name)}/builder`, history: history.slice(0, 3) }),
      ),
      Effect.andThen(tell(build, 2)),
      Effect.ignore,
    );
  };
  const end = (job: KubeObject) => {
    const name = job.metadata.name.replace(/-builder$/, '');
    return cluster.list(pods, { labelSelector: `batch.kubernetes.io/job-name=${job.metadata.name}` }).pipe(
      Effect.flatMap(({ items }) =>
        patch(name, {
          phase: 'Succeeded',
          imageDigest: items[0]?.status?.containerStatuses?.[0]?.state?.terminated?.message,
          completedAt: isoTime(Date.now()),
          history,
        }),
      ),
      Effect.flatMap((build) => tell(build, 3)),
      Effect.ignore,
    );
  };

  const started = follow(cluster, builds).pipe(
    Stream.filter((change) => change.type === 'added'),
    Stream.mapEffect((change) => ('object' in change ? begin(change.object) : Effect.void), { concurrency: 8 }),
    Stream.runDrain,
  );
  const ended = follow(cluster, jobs).pipe(
    Stream.filter((change) => change.type === 'modified' && change.object.status?.conditions !== undefined),
    Stream.mapEffect((change) => ('object' in change ? end(change.object) : Effect.void), { concurrency: 8 }),
    Stream.runDrain,
  );
  const running = [Effect.runFork(started), Effect.runFork(ended)];
  return async () => {
    await Promise.all(running.map((fiber) => Effect.runPromise(Fiber.interrupt(fiber))));
  };
}

import { Effect, Fiber, Stream } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import { jobs, pods } from '../../runtime/services/cluster/resources.ts';
import type { ClusterShape } from '../../runtime/services/cluster/cluster.ts';
import { follow } from './follow.ts';

const digest = `sha256:${'d'.repeat(64)}`;

/** Stands in for nodes: every Job that appears gets a pod that pushed a digest, and is complete. Returns its end. */
export function finishJobs(cluster: ClusterShape): () => Promise<void> {
  const finish = (job: KubeObject) => {
    const { name, uid = '', annotations = {} } = job.metadata;
    const pod = {
      metadata: {
        name: `${name}-pod`,
        namespace: systemNamespace,
        labels: { 'batch.kubernetes.io/job-name': name },
        annotations,
        ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name, uid }],
      },
      spec: { containers: [{ name: 'builder', image: 'builder' }] },
    };
    const status = {
      phase: 'Succeeded',
      containerStatuses: [{ name: 'builder', state: { terminated: { exitCode: 0, message: digest } } }],
    };
    return cluster
      .create(pods, pod)
      .pipe(
        Effect.andThen(cluster.patchStatus(pods, { name: pod.metadata.name }, status)),
        Effect.andThen(
          cluster.patchStatus(jobs, { name }, { succeeded: 1, conditions: [{ type: 'Complete', status: 'True' }] }),
        ),
        Effect.ignore,
      );
  };
  const running = Effect.runFork(
    follow(cluster, jobs).pipe(
      Stream.filter((change) => change.type === 'added'),
      Stream.mapEffect((change) => ('object' in change ? finish(change.object) : Effect.void), { concurrency: 8 }),
      Stream.runDrain,
    ),
  );
  return () => Effect.runPromise(Fiber.interrupt(running)).then(() => undefined);
}

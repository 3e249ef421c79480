import { Effect, Stream } from 'effect';
import { everything } from '../../runtime/controllers/all.ts';
import { builds } from '../../runtime/services/cluster/kinds.ts';
import type { ClusterShape } from '../../runtime/services/cluster/cluster.ts';
import { userBuild, labelled } from '../support/environment.ts';
import { follow } from './follow.ts';
import type { Newcomers } from './interference.ts';

const settled = {
  phase: 'Failed',
  history: [
    {
      seq: 1,
      machine: 'build',
      from: 'Pending',
      event: 'registryMissing',
      to: 'Failed',
      rule: 'registryMissing',
      by: 'operator',
      at: '2027-01-01T00:00:00.000Z',
      text: 'No registry',
    },
  ],
};

/** Builds at rest: each costs a pass and nothing else. */
const populate = (cluster: ClusterShape, others: number) =>
  Effect.runPromise(
    Effect.forEach(
      Array.from({ length: others }, (_, number) => `other-${number}`),
      (name) =>
        cluster
          .create(builds, labelled(userBuild(name, { app: name, registry: '' })))
          .pipe(Effect.andThen(cluster.patchStatus(builds, { name }, settled))),
      { concurrency: 16, discard: true },
    ),
  );

/** New builds until their Job runs, beside others that have failed. */
export const newBuilds: Newcomers = {
  others: 5_000,
  populate,
  controllers: () =>
    everything({ builder: { builderImage: 'builder', gitImage: 'git', gitUrl: 'https://git.example' } }).controllers,
  ask: (cluster, name) => cluster.create(builds, labelled(userBuild(name, { app: name }))),
  done: (cluster) =>
    follow(cluster, builds).pipe(
      Stream.flatMap((change) =>
        Stream.fromIterable(
          change.type === 'modified' && change.object.status?.phase === 'Running' ? [change.object.metadata.name] : [],
        ),
      ),
    ),
};

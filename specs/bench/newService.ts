import { Stream } from 'effect';
import { apps } from '../../runtime/services/cluster/kinds.ts';
import { follow } from './follow.ts';
import type { Newcomers } from './interference.ts';
import { playedDeployments, putProject, serviceOpen } from './serviceLives.ts';
import { readied, serviceControllers } from './services.ts';

/** New services until they are Ready, beside others that are. */
export const newServices: Newcomers = {
  others: 2_000,
  populate: async (cluster, others) => {
    await putProject(cluster);
    await readied(cluster, others);
  },
  controllers: serviceControllers,
  ask: (cluster, name) => cluster.create(apps, serviceOpen(name)),
  done: (cluster) =>
    Stream.merge(
      Stream.drain(playedDeployments(cluster)),
      follow(cluster, apps).pipe(
        Stream.flatMap((change) =>
          Stream.fromIterable(
            change.type === 'modified' && change.object.status?.phase === 'Ready' ? [change.object.metadata.name] : [],
          ),
        ),
      ),
    ),
};

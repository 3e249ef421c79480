import { Effect, Stream } from 'effect';
import { databaseController } from '../../runtime/controllers/database/controller.ts';
import { storageClasses } from '../../runtime/owned/addonKinds.ts';
import { clusterNodes } from '../../runtime/controllers/capacity.ts';
import { databases } from '../../runtime/services/cluster/kinds.ts';
import { owned } from '../../runtime/owned/owned.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import type { Resource } from '../../runtime/services/cluster/cluster.ts';
import { benchDatabase, elsewhere, passwordSecret } from './benchDatabase.ts';
import { follow } from './follow.ts';
import type { Newcomers } from './interference.ts';
import { putProject } from './serviceLives.ts';

const password = 'password-of-all';
const node = {
  metadata: { name: 'large', labels: { 'core.platform/region': 'local' } },
  status: { allocatable: { cpu: '64', memory: '256Gi' }, conditions: [{ type: 'Ready', status: 'True' }] },
};

const storageClass = { metadata: { name: 'core-replicated' }, provisioner: 'core.example' };

/** Databases until the first of them is applied, beside others that are Ready. */
export const newDatabases: Newcomers = {
  others: 2_000,
  populate: async (cluster, others) => {
    await putProject(cluster);
    await Effect.runPromise(cluster.create(clusterNodes as Resource, node));
    await Effect.runPromise(cluster.create(storageClasses, storageClass));
    await Effect.runPromise(cluster.create(secrets, passwordSecret(password, 'one')));
    const all = Array.from({ length: others }, (_, number) => benchDatabase(`other-${number}`, elsewhere(password)));
    await Effect.runPromise(
      Effect.forEach(all, (one) => cluster.create(databases, one), { concurrency: 16, discard: true }),
    );
  },
  controllers: () => [databaseController()],
  ask: (cluster, name) => cluster.create(databases, benchDatabase(name)),
  done: (cluster) =>
    follow(cluster, owned.claims, { namespace: 'shop-production' }).pipe(
      Stream.flatMap((change) => Stream.fromIterable(change.type === 'added' ? [change.object.metadata.name] : [])),
      Stream.map((name) => name.replace(/-sqlite$/, '')),
    ),
};

import { Effect } from 'effect';
import type { ClusterShape } from '../../runtime/services/cluster/cluster.ts';
import { databases } from '../../runtime/services/cluster/kinds.ts';
import { benchDatabase } from './benchDatabase.ts';
import type { Newcomers } from './interference.ts';
import { newDatabases } from './newDatabase.ts';

/** As five failures leave a database of which nothing was applied yet. */
const givenUp = {
  phase: 'ProvisionFailed',
  deployRevision: '',
  reconcileRetry: { reconcileFailures: 5, reconcileFailureGeneration: 1, gaveUp: true },
};

const putGivenUp = (cluster: ClusterShape, name: string) =>
  Effect.andThen(cluster.create(databases, benchDatabase(name)), cluster.patchStatus(databases, { name }, givenUp));

/** Databases from Retry until the first of them is applied, beside others that are Ready. */
export const retriedDatabases: Newcomers = {
  ...newDatabases,
  prepare: (cluster, names) =>
    Effect.runPromise(Effect.forEach(names, (name) => putGivenUp(cluster, name), { discard: true })),
  ask: (_, name, operator) => {
    const [controller] = operator.controllers;
    const retries = controller?.lifecycles.find((one) => one.name === 'provisionRetry');
    return controller && retries
      ? operator.move(controller, retries, name, { asked: 'retry', by: 'admin' })
      : Effect.fail('no machine answers Retry');
  },
};

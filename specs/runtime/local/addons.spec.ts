import { Context, Effect, Exit, Fiber, Scope } from 'effect';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../crds/kind.ts';
import { systemNamespace } from '../../../crds/names.ts';
import { ownLabels } from '../../../rules/owned/ownedObject.ts';
import { definitions } from '../../../runtime/controllers/database/kinds.ts';
import { runAddons } from '../../../runtime/local/addons/addons.ts';
import type { Server } from '../../../runtime/local/addons/postgres/server.ts';
import { pods } from '../../../runtime/services/cluster/resources.ts';
import { Cluster } from '../../../runtime/services/cluster/cluster.ts';
import { memoryCluster } from '../../support/memoryCluster.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import { chartClaims as claims, postgresClusters } from '../../../runtime/owned/addonKinds.ts';

const spec = suite('simulated operators');

const server = (size: string): Server => ({
  metadata: { name: 'orders', namespace: systemNamespace, labels: ownLabels({ kind: 'CoreDatabase', name: 'orders' }) },
  spec: { instances: 2, storage: { size } },
});

spec('DB-131 the claims of a Postgres server grow with it, and never shrink', async () => {
  const memory = memoryCluster();
  const scope = Scope.makeUnsafe();
  const context = Context.make(Cluster, memory).pipe(Context.add(Scope.Scope, scope));
  const sizes = () => memory.all(claims).map(({ spec: own }) => own?.resources?.requests?.storage);
  const start = () => {
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    for (const pod of memory.all(pods))
      if (!pod.status?.conditions?.length) memory.put(pods, { ...pod, status } as KubeObject);
  };
  const are = (size: string) =>
    until(() => {
      start();
      return sizes().join() === `${size},${size}`;
    }, `they are ${size}`);
  memory.put(definitions, { metadata: { name: 'clusters.postgresql.cnpg.io' } });
  memory.put(postgresClusters, server('10Gi'));
  const running = Effect.runFork(Effect.provideContext(runAddons(null), context));
  await are('10Gi');
  for (const claim of memory.all(claims)) memory.put(claims, { ...claim, status: { phase: 'Bound' } });
  memory.put(postgresClusters, server('20Gi'));
  await are('20Gi');
  const changes = memory.changesOf('persistentvolumeclaims');
  for (const size of ['9Gi', '20480Mi']) memory.put(postgresClusters, server(size));
  // A status follows what was made of the last one.
  memory.drop(pods, 'orders-1', systemNamespace);
  await until(() => {
    start();
    return memory.all(pods).length === 2;
  }, 'its pod is made again');
  assert.is(memory.changesOf('persistentvolumeclaims'), changes);
  await Effect.runPromise(Fiber.interrupt(running));
  await Effect.runPromise(Scope.close(scope, Exit.void));
});

spec.run();

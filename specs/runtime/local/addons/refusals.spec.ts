import { Effect, Result } from 'effect';
import * as assert from 'uvu/assert';
import { systemNamespace } from '../../../../crds/names.ts';
import { definitions } from '../../../../runtime/controllers/database/kinds.ts';
import { postgresDefinition } from '../../../../runtime/local/addons/definitions.ts';
import type { Json } from '../../../../runtime/embedded/index.ts';
import type { Server } from '../../../../runtime/local/addons/postgres/server.ts';
import { clusterWebhook } from '../../../../runtime/local/addons/postgres/webhook.ts';
import { type MemoryCluster, memoryCluster } from '../../../support/memoryCluster.ts';
import { suite } from '../../../support/suite.ts';
import { until } from '../../../support/until.ts';
import { started } from '../../embedded/started.ts';
import { recordedIn } from './trace.ts';
import { postgresClusters } from '../../../../runtime/owned/addonKinds.ts';

const spec = suite('refusals of the fake Postgres operator');

interface Change {
  readonly what: string;
  readonly patch: object;
}
interface Refusal extends Change {
  readonly message: string;
}
interface Recorded {
  readonly spec: NonNullable<Server['spec']>;
  readonly restored: {
    readonly spec: NonNullable<Server['spec']>;
    readonly patch: object;
    readonly answer: { readonly message: string };
  };
  readonly refused: readonly Refusal[];
  readonly accepted: readonly Change[];
}

const { spec: written, restored, refused, accepted } = recordedIn('refusals') as Recorded;
const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const at = { name: 'orders', namespace: systemNamespace };

/** A cluster with the operator in it. */
function clusterWithOperator(): MemoryCluster {
  const memory = memoryCluster();
  memory.put(definitions, { metadata: { name: 'clusters.postgresql.cnpg.io' } });
  return memory;
}

/** The answer to a change of a server that stands; null where it is done. */
async function answerTo(server: NonNullable<Server['spec']>, patch: object): Promise<string | null> {
  const memory = clusterWithOperator();
  await Effect.runPromise(memory.create(postgresClusters, { metadata: at, spec: server }));
  const result = await Effect.runPromise(Effect.result(memory.patch(postgresClusters, at, { spec: patch })));
  if (Result.isSuccess(result)) return null;
  const { failure } = result;
  assert.is(failure._tag, 'Refused');
  return failure._tag === 'Refused' ? `${failure.status} ${failure.message}` : '';
}

spec('the API server returns its own refusals in the format of those of the operator', async () => {
  const api = await started({ webhooks: [clusterWebhook] });
  try {
    await api.send('POST', definitionsPath, { body: postgresDefinition as unknown as Json });
    const path = '/apis/postgresql.cnpg.io/v1/namespaces/default/clusters';
    const body = {
      apiVersion: 'postgresql.cnpg.io/v1',
      kind: 'Cluster',
      metadata: { name: 'orders' },
      spec: restored.spec,
    };
    await until(async () => (await api.send('GET', path)).code === 200, 'the kind is served');
    assert.is((await api.send('POST', path, { body: body as unknown as Json })).code, 201);
    const change = { body: { spec: restored.patch } as unknown as Json, type: 'application/merge-patch+json' };
    assert.equal((await api.send('PATCH', `${path}/orders`, change)).body, restored.answer);
  } finally {
    await api.end();
  }
});

for (const { what, patch, message } of refused)
  spec(`the fake operator refuses ${what} in the words of the real one`, async () => {
    assert.is(await answerTo(written, patch), `422 ${message}`);
  });

spec('the fake operator refuses to remove the cluster that a server was restored from', async () => {
  assert.is(await answerTo(restored.spec, restored.patch), `422 ${restored.answer.message}`);
});

spec('the fake operator refuses a server restored from a cluster that is not listed', async () => {
  const { externalClusters: _, ...without } = restored.spec as Readonly<Record<string, unknown>>;
  const created = clusterWithOperator().create(postgresClusters, { metadata: at, spec: without });
  const result = await Effect.runPromise(Effect.result(created));
  assert.match(Result.isFailure(result) ? JSON.stringify(result.failure) : '', /External cluster origin not found/);
});

for (const { what, patch } of accepted)
  spec(`the fake operator accepts ${what}`, async () => {
    assert.is(await answerTo(written, patch), null);
  });

spec('the fake operator accepts a status write over an invalid spec', async () => {
  const memory = clusterWithOperator();
  memory.put(postgresClusters, { metadata: at, spec: { ...written, imageName: 'postgresql:12' } });
  const told = await Effect.runPromise(memory.patchStatus(postgresClusters, at, { phase: 'Failing over' }));
  assert.is(told.status?.phase, 'Failing over');
});

spec.run();

import * as assert from 'uvu/assert';
import type { CoreDatabase } from '../../../crds/coreDatabase.ts';
import { annotation, systemNamespace } from '../../../crds/names.ts';
import { conditionOf } from '../../../rules/condition.ts';
import { apps, databases, objectStores, projects } from '../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import { suite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import type { Served } from '../served.ts';
import { type Asking, asking, serveShop } from './given.ts';

const spec = suite('connected variables of services');
let served: Served;
let the: Asking;
spec.before.each(async () => {
  served = await serveShop();
  the = asking(served);
});
spec.after.each(() => served.stop());

interface Deployment {
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly { readonly env: readonly object[] }[] } };
  };
}
const envOf = () => {
  const [found] = served.world.cluster.all(owned.deployments) as unknown as readonly Deployment[];
  return found?.spec.template.spec.containers[0]?.env;
};
const text = (message: string) =>
  until(() => {
    const app = served.operator.caches.get(apps, 'web');
    return app && conditionOf(app, 'Ready')?.message === message;
  }, `Ready says: ${message}`);

/** A database that no pass looks at, and whether it is Ready. */
function putDatabase(status: 'True' | 'False', environment = 'production'): void {
  const at = '2026-01-01T00:00:00Z';
  served.world.cluster.put(databases, {
    metadata: { name: 'orders', namespace: 'core-system', annotations: { [annotation.paused]: 'true' } },
    spec: { project: 'shop', environment, engine: 'SQLite', deploy: { enabled: true } } as CoreDatabase['spec'],
    status: { conditions: [{ type: 'Ready', status, reason: 'R', message: 'm', lastTransitionTime: at }] },
  });
}

spec('a database value is read from the connection Secret when the database is ready', async () => {
  await the.create();
  const connectionRefs = [{ kind: 'CoreDatabase', name: 'orders', variable: 'DB', key: 'uri' }];
  assert.is((await the.patch({ connectionRefs })).status, 200);
  await the.post('/apps/web/deploy');
  await text('database "orders" does not exist');
  putDatabase('False', 'testing');
  await until(() => served.operator.caches.get(databases, 'orders'), 'the database is cached');
  await text('database "orders" does not exist');
  putDatabase('False');
  await text('database "orders" is not ready');
  assert.is(envOf(), undefined, 'nothing is applied meanwhile');
  putDatabase('True');
  await until(() => envOf() !== undefined, 'the pods are created');
  assert.equal(envOf(), [
    { name: 'PORT', value: '8080' },
    { name: 'DB', valueFrom: { secretKeyRef: { name: 'orders-connection', key: 'uri' } } },
  ]);
});

/** A bucket that no pass looks at, and whether it is Ready. */
function putBucket(status: 'True' | 'False'): void {
  const at = '2026-01-01T00:00:00Z';
  served.world.cluster.put(objectStores, {
    metadata: { name: 'files', namespace: 'core-system', annotations: { [annotation.paused]: 'true' } },
    spec: { project: 'shop', environment: 'production', mode: 'Bucket', deploy: { enabled: true } },
    status: { conditions: [{ type: 'Ready', status, reason: 'R', message: 'm', lastTransitionTime: at }] },
  });
}

spec('SVC-036 a bucket value is read from the bucket Secret when the bucket is ready', async () => {
  await the.create();
  const ref = { kind: 'CoreObjectStore', name: 'files', variable: 'KEY', key: 'accessKeyId' };
  assert.is((await the.patch({ connectionRefs: [ref] })).status, 200);
  await the.post('/apps/web/deploy');
  await text('bucket "files" does not exist');
  putBucket('False');
  await text('bucket "files" is not ready');
  putBucket('True');
  await until(() => envOf() !== undefined, 'the pods are created');
  assert.equal(envOf()?.[1], {
    name: 'KEY',
    valueFrom: { secretKeyRef: { name: 'files-bucket', key: 'accessKeyId' } },
  });
});

spec('a shared variable is read from the objects of the project when they exist', async () => {
  await the.create();
  await the.patch({ sharedVariableRefs: ['LEVEL', 'KEY'], port: 3000 });
  await the.post('/apps/web/deploy');
  await text('shared variable "LEVEL" was not found');
  const project = served.operator.caches.get(projects, 'shop');
  if (!project) throw new Error('no project');
  const sharedVariables = [
    { name: 'LEVEL', environment: 'production', value: 'info' },
    { name: 'KEY', environment: 'production', value: '', secretRef: { name: 'keys', key: 'k' } },
  ];
  served.world.cluster.put(projects, { ...project, spec: { ...project.spec, sharedVariables } });
  await text('shared variable "KEY" was not found');
  served.world.cluster.put(secrets, {
    metadata: { name: 'keys', namespace: systemNamespace },
    data: { k: 'aHVzaA==' },
  });
  await until(() => envOf() !== undefined, 'the pods are created');
  assert.equal(envOf(), [
    { name: 'PORT', value: '3000' },
    { name: 'LEVEL', valueFrom: { configMapKeyRef: { name: 'core-shared-variables', key: 'LEVEL' } } },
    { name: 'KEY', valueFrom: { secretKeyRef: { name: 'core-shared-secrets', key: 'KEY' } } },
  ]);
});

spec.run();

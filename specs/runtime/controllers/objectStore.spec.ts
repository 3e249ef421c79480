import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { annotation } from '../../../crds/names.ts';
import { conditionOf } from '../../../rules/condition.ts';
import { cloudConnections } from '../../../runtime/services/cluster/kinds.ts';
import { bucketOf } from '../../../runtime/controllers/build/ask/archive.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import { CloudFailed } from '../../../runtime/services/cloud.ts';
import { secretText } from '../../../runtime/services/secretText.ts';
import { answerOf, connectionName, keysIn, putConnection, secretIn } from '../../support/cloud/objects.ts';
import { startSession, onServer, putStore, runs, server, storeIn } from '../../support/cloud/objectStore.ts';
import { accountOf } from '../../support/memory/cloud.ts';
import { pieceIn, putProject } from '../../support/project.ts';
import { suite } from '../../support/suite.ts';
import type { TestEnvironment } from '../../support/environment.ts';

const spec = suite('object stores');
const minuteMs = 60_000;

spec('KND-010 a bucket in an account is created with its own user, and its Secret is in the environment', async () => {
  const { environment, ready, crash } = await startSession(putStore);
  assert.is(ready(), 'True ObjectStoreReady: Bucket is available');
  const store = storeIn(environment);
  const bucket = `core-files-${(store?.metadata.uid ?? '').slice(0, 8)}`;
  assert.equal(
    [store?.status?.bucket, store?.status?.endpoint, store?.status?.credentialSecret],
    [bucket, 'http://cloud.test', 'files-bucket-keys'],
  );
  const secret = pieceIn(environment, owned.secrets, 'files-bucket');
  assert.equal(Object.keys(secret?.data ?? {}).toSorted(), [
    'accessKeyId',
    'bucket',
    'endpoint',
    'region',
    'secretAccessKey',
  ]);
  const key = keysIn(secretIn(environment, 'files-bucket-keys'));
  assert.is(secretText(secret, 'secretAccessKey'), key.secretAccessKey);
  const { cloud } = environment.cloud;
  answerOf(cloud.makeBucket(accountOf(), 'core-other'));
  assert.is(answerOf(cloud.write(accountOf(key), bucket, 'a', 'text')), undefined);
  assert.is(answerOf(cloud.write(accountOf(key), 'core-other', 'a', 'text')), 'AccessDenied');
  await crash();
});

spec('a log is stored in the bucket with its own keys, by the region that its connection names', async () => {
  const { environment, reader, crash } = await startSession((given) => {
    putConnection(given, { region: 'eu-west-3' });
    putStore(given);
  });
  const { endpoint = '', bucket = '' } = storeIn(environment)?.status ?? {};
  const key = keysIn(secretIn(environment, 'files-bucket-keys'));
  assert.equal(bucketOf('files', reader), { endpoint, bucket, region: 'eu-west-3', ...key });
  await crash();
});

spec('KND-025 KND-048 a draft object store creates no bucket, and a deploy creates the bucket', async () => {
  const { environment, ready, pass, crash } = await startSession((given) =>
    putStore(given, { deploy: { enabled: false } }, 'files', { [annotation.deployWorkflow]: 'true' }),
  );
  assert.is(ready(), 'False ReconcileError: Resource is configured and waiting for deployment');
  assert.is(environment.cloud.model.state.buckets.size, 0);
  assert.is(secretIn(environment, 'files-bucket-keys'), undefined);
  putStore(environment, { deploy: { enabled: true } });
  await pass(1_000);
  assert.match(ready(), /^True/);
  assert.is(environment.cloud.model.state.buckets.size, 1);
  await crash();
});

spec('a ready bucket costs two requests in ten minutes and no write', async () => {
  const { environment, pass, crash } = await startSession(putStore);
  await pass(2 * minuteMs);
  const calls = () => environment.cloud.calls.filter((call) => call !== 'check').length;
  const [before, asked] = [storeIn(environment)?.metadata.resourceVersion, calls()];
  await pass(60 * minuteMs);
  assert.is(storeIn(environment)?.metadata.resourceVersion, before);
  assert.is(calls(), asked + 12);
  await crash();
});

spec('a deleted bucket is emptied and removed with its user only when Core chose its name', async () => {
  const { environment, remove, pass, crash } = await startSession((given) => {
    putStore(given);
    putStore(given, { bucket: 'core-mine' }, 'named');
  });
  const bucket = storeIn(environment)?.status?.bucket ?? '';
  for (const key of ['a', 'b/c']) environment.cloud.put(bucket, key, 'text');
  environment.cloud.put('core-mine', 'kept', 'text');
  const users = () => [...environment.cloud.model.state.users.keys()].length;
  assert.is(users(), 2);
  remove('files');
  remove('named');
  await pass(2 * minuteMs);
  assert.is(storeIn(environment), undefined);
  assert.is(storeIn(environment, 'named'), undefined);
  assert.equal([...environment.cloud.model.state.buckets.keys()], ['core-mine']);
  assert.equal(environment.cloud.stored('core-mine'), ['kept']);
  assert.is(users(), 0);
  for (const name of ['files-bucket-keys', 'named-bucket-keys'])
    assert.is(secretIn(environment, name), undefined, name);
  assert.is(pieceIn(environment, owned.secrets, 'files-bucket'), undefined);
  await crash();
});

const phaseOf = (environment: TestEnvironment, name = 'files') => storeIn(environment, name)?.status?.phase;

spec(
  'SEC-027 KND-039 KND-045 KND-059 KND-060 KND-061 KND-066 KND-067 OBS-005 OBS-007 OBS-008 an object store is ProvisionFailed after five failures and starts over with another spec',
  async () => {
    const { environment, ready, pass, crash } = await startSession((given) => {
      putConnection(given, { project: 'other' });
      putStore(given);
    });
    assert.is(ready(), 'False ReconcileError: cloud connection "aws" is scoped to project "other"');
    const failures = () => storeIn(environment)?.status?.reconcileRetry?.reconcileFailures;
    assert.is(failures(), 1);
    await pass(30_500);
    assert.is(failures(), 2);
    await pass(10 * minuteMs);
    assert.match(ready(), /^False ProvisionFailed: Provisioning failed after repeated errors/);
    assert.equal([phaseOf(environment), failures()], ['ProvisionFailed', 5]);
    const [attempt] = storeIn(environment)?.status?.provision?.provisionAttempts ?? [];
    assert.equal([attempt?.phase, attempt?.errors?.length], ['Failed', 5]);
    assert.is(environment.cloud.model.state.buckets.size, 0);
    putConnection(environment, { project: 'shop' });
    await pass(10 * minuteMs);
    assert.is(phaseOf(environment), 'ProvisionFailed', 'neither time nor another object begins anew');
    putStore(environment, { region: 'eu-central-1' });
    await pass(minuteMs);
    assert.equal([phaseOf(environment), failures() ?? 0], ['Ready', 0]);
    await crash();
  },
);

spec('KND-064 KND-065 OBS-004 waiting is not counted, and a ready bucket has no counted failures', async () => {
  const { environment, ready, pass, crash } = await startSession((given) => {
    putStore(given, server, 'store');
    putStore(given, onServer);
    putProject(given, { requiredTags: ['gdpr'] });
  });
  assert.is(storeIn(environment)?.status?.reconcileRetry?.reconcileFailures, 1);
  putProject(environment, { requiredTags: [] });
  await pass(5 * minuteMs);
  assert.is(ready(), 'False ReconcileError: object store server "store" is not ready');
  assert.equal(
    [phaseOf(environment), storeIn(environment)?.status?.reconcileRetry?.reconcileFailures],
    ['Provisioning', 1],
  );
  runs(environment);
  const { accessKeyId: id, secretAccessKey: secret } = keysIn(secretIn(environment, 'store-store-root'));
  environment.cloud.model.state.keys.set(id, { id, secret, account: 'server', user: null, createdAt: 0 });
  await pass(minuteMs);
  assert.equal(
    [phaseOf(environment), storeIn(environment)?.status?.reconcileRetry?.reconcileFailures ?? 0],
    ['Ready', 0],
  );
  await crash();
});

spec(
  'KND-038 KND-056 KND-057 KND-058 OBS-002 an object store applied by kubectl runs as written, and a closed gate removes only the pod of a server',
  async () => {
    const { environment, ready, pass, crash } = await startSession((given) => {
      putStore(given);
      putStore(given, server, 'store');
    });
    assert.match(ready(), /^True/);
    runs(environment);
    await pass(1_000);
    assert.is(phaseOf(environment, 'store'), 'Ready');
    const closed = { deploy: { enabled: false } };
    for (const name of ['files', 'store']) putStore(environment, closed, name, { [annotation.deployWorkflow]: 'true' });
    await pass(minuteMs);
    assert.equal([phaseOf(environment), phaseOf(environment, 'store')], ['Draft', 'Draft']);
    assert.match(ready(), /waiting for deployment$/);
    assert.ok(pieceIn(environment, owned.secrets, 'files-bucket'), 'the Secret of a bucket stays');
    assert.is(environment.cloud.model.state.buckets.size, 1);
    const { spec: stopped } = pieceIn(environment, owned.deployments, 'store', 'core-system') as unknown as {
      readonly spec: { readonly replicas: number };
    };
    assert.is(stopped.replicas, 0);
    assert.ok(pieceIn(environment, owned.claims, 'store-store', 'core-system'), 'its disk stays');
    putStore(environment, { deploy: { enabled: true } }, 'files', {
      [annotation.deployWorkflow]: 'true',
      [annotation.pendingChanges]: 'settings',
    });
    await pass(1_000);
    assert.is(ready(), 'False ReconcileError: resource has pending changes and no last deployed snapshot');
    await crash();
  },
);

spec('OBS-026 a changed bucket name is refused, and no other bucket is created', async () => {
  const { environment, ready, pass, crash } = await startSession(putStore);
  const made = storeIn(environment)?.status?.bucket ?? '';
  putStore(environment, { bucket: 'other-bucket' });
  await pass(minuteMs);
  assert.is(ready(), `False ProvisionFailed: the bucket of an object store cannot change (it is ${made})`);
  assert.equal([...environment.cloud.model.state.buckets.keys()], [made]);
  putStore(environment, { bucket: made });
  await pass(minuteMs);
  assert.match(ready(), /^True/);
  await crash();
});

spec('the Ready message of a bucket names a missing project, environment, connection or server', async () => {
  const { ready, crash } = await startSession((given) => {
    putStore(given, { project: 'none' }, 'a');
    putStore(given, { environment: 'none' }, 'b');
    putStore(given, { connectionRef: undefined as never }, 'c');
    putStore(given, { connectionRef: { name: 'none' } }, 'd');
    putStore(given, { ...onServer, serverRef: { name: 'none' } }, 'e');
    putStore(given, { ...onServer, serverRef: { name: 'a' } }, 'f');
    putStore(given, { ...server, project: 'shop' }, 'g');
  });
  assert.equal(
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => ready(name).replace(/^False \w+: /, '')),
    [
      'project "none" does not exist',
      'project "shop" has no none environment',
      'a bucket needs serverRef or connectionRef',
      'cloud connection "none" was not found',
      'object store server "none" was not found',
      'object store "a" is not a server',
      'an object store server belongs to no project',
    ],
  );
  await crash();
});

spec('a refusal of the cloud is shown in Ready with its code until the cloud accepts the request', async () => {
  const { environment, ready, pass, crash } = await startSession((given) => {
    putStore(given);
    given.cloud.failing = new CloudFailed({
      code: 'AccessDenied',
      status: 403,
      message: 'AccessDenied: no (HTTP 403)',
    });
  });
  assert.is(ready(), 'False ReconcileError: The bucket is not working: AccessDenied: no (HTTP 403)');
  environment.cloud.failing = null;
  await pass(minuteMs);
  assert.match(ready(), /^True/);
  await crash();
});

spec('an object store server runs in core-system with keys generated once, and serves a bucket', async () => {
  const { environment, ready, pass, crash } = await startSession((given) => {
    putStore(given, server, 'store');
    putStore(given, onServer);
  });
  assert.is(ready('store'), 'False ReconcileError: Object store is starting');
  assert.is(ready(), 'False ReconcileError: object store server "store" is not ready');
  const root = keysIn(secretIn(environment, 'store-store-root'));
  assert.is(root.accessKeyId.length > 5 && root.secretAccessKey.length > 5, true);
  const deployment = pieceIn(environment, owned.deployments, 'store', 'core-system') as {
    readonly metadata: { readonly ownerReferences?: readonly object[] };
  };
  assert.equal(deployment.metadata.ownerReferences, [
    {
      apiVersion: 'core.platform/v1alpha1',
      kind: 'CoreObjectStore',
      name: 'store',
      uid: storeIn(environment, 'store')?.metadata.uid,
      controller: true,
    },
  ]);
  assert.not(JSON.stringify(deployment).includes(root.secretAccessKey));
  assert.ok(pieceIn(environment, owned.claims, 'store-store', 'core-system'));
  // The server knows its own keys.
  const key = { id: root.accessKeyId, secret: root.secretAccessKey, account: 'server', user: null, createdAt: 0 };
  environment.cloud.model.state.keys.set(root.accessKeyId, key);
  runs(environment);
  await pass(2 * minuteMs);
  assert.is(ready('store'), 'True ObjectStoreReady: Object store server is available');
  assert.is(ready(), 'True ObjectStoreReady: Bucket is available');
  const ownersOf = (secret: string) => secretIn(environment, secret)?.metadata.ownerReferences?.map(({ uid }) => uid);
  assert.equal(ownersOf('store-store-root'), [storeIn(environment, 'store')?.metadata.uid], 'it goes with the server');
  assert.equal(ownersOf('files-bucket-keys'), [storeIn(environment)?.metadata.uid], 'it goes with the bucket');
  assert.is(storeIn(environment)?.status?.endpoint, 'http://store.core-system.svc:8333');
  assert.is(environment.cloud.model.state.buckets.get(storeIn(environment)?.status?.bucket ?? '')?.account, 'server');
  await crash();
});

spec('PRJ-039 PRJ-051 a bucket on a server whose nodes lack a tag that the project requires is refused', async () => {
  const { environment, ready, pass, crash } = await startSession((given) => {
    putProject(given, { requiredTags: ['gdpr', 'gpu'] });
    putStore(given, server, 'store', { [annotation.nodePlacement]: JSON.stringify({ tags: ['gpu'] }) });
    putStore(given, onServer);
  });
  const text = 'This object store server does not run on nodes tagged gdpr, which the project requires';
  assert.is(ready(), `False ReconcileError: ${text}`);
  const pod = JSON.stringify(pieceIn(environment, owned.deployments, 'store', 'core-system'));
  assert.ok(pod.includes('"core.platform/tag-gpu":"true"'), 'the server runs on nodes with its tags');
  assert.ok(pod.includes('"core.platform/reserved"'));
  putProject(environment, { requiredTags: ['gpu'] });
  await pass(1_000);
  assert.is(ready(), 'False ReconcileError: object store server "store" is not ready');
  await crash();
});

spec('a server is deleted after the buckets on it', async () => {
  const { environment, remove, pass, crash } = await startSession((given) => {
    putStore(given, server, 'store');
    putStore(given, onServer);
  });
  remove('store');
  await pass(5 * minuteMs);
  assert.ok(storeIn(environment, 'store'), 'it is kept');
  remove('files');
  await pass(5 * minuteMs);
  assert.is(storeIn(environment), undefined);
  assert.is(storeIn(environment, 'store'), undefined);
  assert.is(secretIn(environment, 'store-store-root'), undefined);
  assert.is(pieceIn(environment, owned.claims, 'store-store', 'core-system'), undefined);
  await crash();
});

spec('a bucket that was never created is deleted, then its server, even when the server does not answer', async () => {
  const { environment, ready, remove, pass, crash } = await startSession((given) => {
    putStore(given, server, 'store');
    putStore(given, onServer);
    given.cloud.failing = new CloudFailed({ code: 'ENOTFOUND', status: null, message: 'ENOTFOUND: nobody is there' });
  });
  runs(environment, 'store');
  await pass(minuteMs);
  assert.is(ready(), 'False ReconcileError: The bucket is being made: ENOTFOUND: nobody is there');
  for (const name of ['files', 'store']) remove(name);
  await pass(5 * minuteMs);
  assert.equal([storeIn(environment), storeIn(environment, 'store')], [undefined, undefined]);
  await crash();
});

spec('OBS-041 a bucket reports why its removal fails and is removed when the cause is gone', async () => {
  const { environment, ready, remove, pass, crash } = await startSession(putStore);
  assert.match(ready(), /^True/);
  environment.cloud.failing = new CloudFailed({ code: 'Timeout', status: null, message: 'no answer within 10 s' });
  remove('files');
  await pass(5 * minuteMs);
  assert.is(ready(), 'False ReconcileError: Object store is being deleted: no answer within 10 s');
  environment.cloud.failing = null;
  await pass(2 * minuteMs);
  assert.is(storeIn(environment), undefined);
  await crash();
});

spec('OBS-009b a bucket is removed when the cloud allows it, even though a user deleted its Secret', async () => {
  const { environment, remove, pass, crash } = await startSession(putStore);
  const bucket = storeIn(environment)?.status?.bucket ?? '';
  environment.cloud.put(bucket, 'a', 'text');
  environment.cloud.failing = new CloudFailed({ code: 'AccessDenied', status: 403, message: 'AccessDenied' });
  environment.cluster.drop(secrets, 'files-bucket-keys');
  remove('files');
  await pass(5 * minuteMs);
  assert.ok(storeIn(environment), 'it is kept while its bucket stands');
  environment.cloud.failing = null;
  await pass(2 * minuteMs);
  assert.equal([storeIn(environment), environment.cloud.model.state.buckets.has(bucket)], [undefined, false]);
  await crash();
});

spec('OBS-009 OBS-041 the Deployment of a deleted server is deleted at once for its claim', async () => {
  const { environment, remove, pass, crash } = await startSession((given) => putStore(given, server, 'store'));
  const claim = { name: 'store-store', namespace: 'core-system' };
  const protect = (finalizers: readonly string[] | null) =>
    Effect.runSync(environment.cluster.patch(owned.claims, claim, { metadata: { finalizers } }));
  protect(['kubernetes.io/pvc-protection']);
  remove('store');
  await pass(2 * minuteMs);
  assert.is(storeIn(environment, 'store')?.status?.phase, 'Deleting');
  assert.is(conditionOf(storeIn(environment, 'store'), 'Ready')?.message, 'Object store is being deleted');
  assert.is(pieceIn(environment, owned.deployments, 'store', 'core-system'), undefined);
  protect(null);
  await pass(2 * minuteMs);
  assert.is(storeIn(environment, 'store'), undefined);
  await crash();
});

spec('only Secrets contain keys, and a bucket without its connection can be deleted', async () => {
  const { environment, remove, pass, crash } = await startSession(putStore);
  const key = keysIn(secretIn(environment, 'files-bucket-keys'));
  const told = JSON.stringify(environment.cluster.everything().filter(({ kind }) => kind !== secrets.kind));
  assert.not(told.includes(key.secretAccessKey));
  environment.cluster.drop(cloudConnections, connectionName);
  await pass(1_000);
  remove('files');
  await pass(2 * minuteMs);
  assert.is(storeIn(environment), undefined);
  await crash();
});

spec.run();

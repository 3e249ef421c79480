import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { annotation, label } from '../../../crds/names.ts';
import { userOf } from '../../../rules/backupStorage/place.ts';
import { cloudConnections } from '../../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import { CloudFailed } from '../../../runtime/services/cloud.ts';
import {
  answerOf,
  connectionIn,
  connectionName,
  connectionSecret,
  keysIn,
  putConnection,
  putKeys,
  secretIn,
} from '../../support/cloud/objects.ts';
import { accountOf, rootKey } from '../../support/memory/cloud.ts';
import { projectIn, putProject } from '../../support/project.ts';
import { bucket, connected, startSession, minuteMs, secretName, soonMs, stored } from '../../support/cloud/session.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('clouds');
const silent = new CloudFailed({ code: 'TimeoutError', status: null, message: 'TimeoutError: nothing heard' });
const denied = new CloudFailed({ code: 'AccessDenied', status: 403, message: 'AccessDenied: no (HTTP 403)' });
const wrongKeys = { ACCESS_KEY_ID: rootKey.accessKeyId, ACCESS_SECRET_KEY: 'another-secret' };

spec('SEC-027 a cloud connection is Ready when its project, Secret and keys exist and the cloud answers', async () => {
  const { environment, ready, settle, crash } = await startSession((given) => putConnection(given, { project: '' }));
  assert.is(ready(), 'False NoProject: cloud connection "aws" must be scoped to a project');
  putConnection(environment, { project: 'nobody' });
  await settle();
  assert.is(ready(), 'False ProjectMissing: project "nobody" was not found');
  putConnection(environment, { project: 'shop' });
  await settle();
  assert.is(ready(), `False SecretMissing: Secret "${connectionSecret}" was not found`);
  putKeys(environment, { ACCESS_KEY_ID: rootKey.accessKeyId });
  await settle();
  assert.is(ready(), `False KeysMissing: Secret "${connectionSecret}" has no key "ACCESS_SECRET_KEY"`);
  assert.equal(environment.cloud.calls, [], 'nothing is asked with half a key');
  putKeys(environment, wrongKeys);
  await settle();
  assert.match(ready(), /^False Refused: the provider refused: SignatureDoesNotMatch: /);
  putKeys(environment);
  await settle();
  assert.is(ready(), 'True Connected: the connection works');
  await crash();
});

spec('a connection is checked at once when another process has reported another result', async () => {
  const { environment, ready, settle, pass, calls, crash } = await startSession((given) => {
    connected(given);
    given.cloud.failing = silent;
  });
  assert.match(ready(), /^False Unreachable: /);
  environment.cloud.failing = null;
  const byAnother = { type: 'Ready', status: 'True', reason: 'Connected', message: 'the connection works' };
  const conditions = [{ ...byAnother, lastTransitionTime: '2026-01-01T00:00:00Z' }];
  Effect.runSync(environment.cluster.patchStatus(cloudConnections, { name: connectionName }, { conditions }));
  await settle();
  await pass(soonMs);
  assert.is(ready(), 'True Connected: the connection works');
  assert.is(calls('check').length, 2);
  const edited = { ...conditions[0], status: 'False', reason: 'Refused', message: 'by hand' };
  Effect.runSync(environment.cluster.patchStatus(cloudConnections, { name: connectionName }, { conditions: [edited] }));
  await settle();
  await pass(soonMs);
  assert.is(ready(), 'True Connected: the connection works', 'what nobody found out does not stand');
  assert.is(calls('check').length, 3);
  await crash();
});

spec('a connection works when its keys may not list buckets', async () => {
  const { environment, ready, calls, crash } = await startSession((given) => {
    const { cloud } = given.cloud;
    answerOf(cloud.putUser(accountOf(), { name: 'core-small', policy: JSON.stringify({ Statement: [] }) }));
    const key = answerOf(cloud.issueKey(accountOf(), 'core-small'));
    if (typeof key === 'string') throw new Error(key);
    putKeys(given, { ACCESS_KEY_ID: key.accessKeyId, ACCESS_SECRET_KEY: key.secretAccessKey });
    putConnection(given);
  });
  assert.is(ready(), 'True Connected: the connection works');
  assert.is(calls('check').length, 1);
  assert.is(environment.cloud.model.state.keys.size, 2);
  await crash();
});

spec('a connection without iamEndpoint is Ready and reports that buckets use its own keys', async () => {
  const { ready, crash } = await startSession((environment) => {
    putKeys(environment);
    putConnection(environment, { iamEndpoint: undefined as never });
  });
  assert.is(
    ready(),
    'True ConnectedWithoutUsers: the connection works; it has no iamEndpoint, so buckets are used with its own keys',
  );
  await crash();
});

spec(
  'a connection to a silent cloud stops being Ready after three minutes, one to a refusing cloud at once',
  async () => {
    const { environment, ready, pass, crash } = await startSession(connected);
    await pass(9 * minuteMs);
    environment.cloud.failing = silent;
    await pass(2 * minuteMs);
    assert.is(ready(), 'True Connected: the connection works');
    await pass(13 * minuteMs);
    assert.is(ready(), 'False Unreachable: the provider does not answer: TimeoutError: nothing heard');
    environment.cloud.failing = null;
    await pass(2 * minuteMs);
    assert.is(ready(), 'True Connected: the connection works');
    putKeys(environment, wrongKeys);
    await pass(1);
    assert.match(ready(), /^False Refused/);
    await crash();
  },
);

spec('a working connection is checked every ten minutes without a write', async () => {
  const { environment, pass, calls, crash } = await startSession(connected);
  const before = connectionIn(environment)?.metadata.resourceVersion;
  const asked = calls('check').length;
  await pass(30 * minuteMs);
  assert.is(calls('check').length, asked + 3);
  assert.is(connectionIn(environment)?.metadata.resourceVersion, before);
  await crash();
});

spec(
  'BAK-001 BAK-003 BAK-004 BAK-005 BAK-045 PRJ-079 PRJ-080 a bucket, its user and its Secret are created',
  async () => {
    const { environment, storage, crash } = await startSession(stored);
    assert.is(storage(), 'True StorageWorks: backup storage works');
    assert.is(environment.cloud.model.state.buckets.get(bucket)?.region, 'eu-central-1');
    const secret = secretIn(environment, secretName);
    assert.equal(Object.keys(secret?.data ?? {}).toSorted(), ['ACCESS_KEY_ID', 'ACCESS_SECRET_KEY', 'REGION']);
    assert.is(secret?.metadata.namespace, 'core-system');
    assert.is(secret?.metadata.labels?.[label.project], 'shop');
    assert.is(secret?.metadata.annotations?.[annotation.cloudConnection], connectionName);
    // The key opens this bucket and nothing else.
    const { cloud } = environment.cloud;
    const restricted = accountOf(keysIn(secret));
    answerOf(cloud.makeBucket(accountOf(), 'core-other'));
    assert.is(answerOf(cloud.write(restricted, bucket, 'shop/a/b', 'text')), undefined);
    assert.is(answerOf(cloud.read(restricted, bucket, 'shop/a/b')), 'text');
    assert.is(answerOf(cloud.objects(restricted, 'core-other', { prefix: '', from: null })), 'AccessDenied');
    assert.is(answerOf(cloud.write(restricted, 'core-other', 'a', 'text')), 'AccessDenied');
    assert.is(answerOf(cloud.makeBucket(restricted, 'core-third')), 'AccessDenied');
    assert.is(answerOf(cloud.issueKey(restricted, bucket)), 'AccessDenied');
    await crash();
  },
);

spec('working backup storage costs two requests in ten minutes and no write', async () => {
  const { environment, pass, crash } = await startSession(stored);
  const versions = () =>
    [projectIn(environment), secretIn(environment, secretName)].map((one) => one?.metadata.resourceVersion);
  const [before, asked] = [versions(), environment.cloud.calls.filter((call) => call !== 'check').length];
  await pass(60 * minuteMs);
  assert.equal(versions(), before);
  const more = environment.cloud.calls.filter((call) => call !== 'check').length - asked;
  assert.ok(more >= 10 && more <= 12, `${more} requests in an hour`);
  await crash();
});

spec('SEC-024 a cloud user is named core-* after its bucket', () => {
  assert.is(userOf('core-backup-abcd1234'), 'core-backup-abcd1234');
  assert.is(userOf('backups'), 'core-backups');
  const long = 'b'.repeat(63);
  assert.match(userOf(long), /^core-b{50}-[0-9a-f]{8}$/);
  assert.is.not(userOf(`${long.slice(1)}c`), userOf(long));
});

spec('the region is read from an existing bucket, and a new bucket is created in the region of the spec', async () => {
  const there = await startSession((environment) => {
    stored(environment);
    answerOf(environment.cloud.cloud.makeBucket(accountOf({ region: 'us-west-2' }), bucket));
  });
  assert.is(
    Buffer.from(secretIn(there.environment, secretName)?.data?.['REGION'] ?? '', 'base64').toString(),
    'us-west-2',
  );
  await there.crash();
  const named = await startSession((environment) => stored(environment, { region: 'ap-south-1' }));
  assert.is(named.environment.cloud.model.state.buckets.get(bucket)?.region, 'ap-south-1');
  await named.crash();
});

spec('a bucket of another account fails at once', async () => {
  const theirs = { account: '222222222222', accessKeyId: 'AKIATHEIRS', secret: 'their-secret' };
  const { environment, storage, crash } = await startSession(
    (given) => {
      const account = accountOf({ accessKeyId: theirs.accessKeyId, secretAccessKey: theirs.secret });
      answerOf(given.cloud.cloud.makeBucket(account, bucket));
      stored(given);
    },
    { accounts: [rootKey, theirs] },
  );
  assert.match(storage(), /^False StorageFails: Backup storage is not working: BucketAlreadyExists: /);
  assert.is(secretIn(environment, secretName), undefined);
  await crash();
});

spec(
  'PRJ-077 SEC-027 a connection that is missing, without keys or of another project is reported by name',
  async () => {
    const { environment, storage, settle, pass, crash } = await startSession((given) =>
      putProject(given, { backupStorage: { connectionRef: { name: connectionName }, bucket } }),
    );
    const told = async () => {
      await settle();
      await pass(soonMs);
    };
    const fails = 'False StorageFails: Backup storage is not working: cloud connection "aws"';
    assert.is(storage(), `${fails} was not found`);
    putConnection(environment, { project: 'other' });
    await told();
    assert.is(storage(), `${fails} is scoped to project "other"`);
    putConnection(environment, { project: '' });
    await told();
    assert.is(storage(), `${fails} must be scoped to a project`);
    putConnection(environment, { project: 'shop' });
    await told();
    assert.is(storage(), `${fails} is unavailable`);
    putKeys(environment);
    await told();
    assert.is(storage(), 'True StorageWorks: backup storage works');
    putProject(environment, { backupStorage: undefined as never });
    await told();
    assert.is(storage(), '');
    await crash();
  },
);

spec('a bucket is refused when its name cannot be the name of a Secret', async () => {
  const { storage, crash } = await startSession((environment) => stored(environment, { bucket: 'a..b' }));
  assert.is(
    storage(),
    'False StorageFails: Backup storage is not working: bucket "a..b" cannot be the name of a Secret: choose another bucket',
  );
  await crash();
});

spec('a new key unknown to the cloud is waited for, and no second key is created', async () => {
  const { environment, storage, pass, calls, crash } = await startSession(stored, { newKeysUnknownMs: 40_000 });
  assert.is(storage(), 'Unknown Waiting: waiting: the cloud does not know the new key yet');
  await pass(50_000);
  assert.is(storage(), 'True StorageWorks: backup storage works');
  assert.is(calls('issueKey').length, 1);
  assert.is(environment.cloud.model.state.keys.size, 2);
  await crash();
});

spec('a deleted bucket or key is recreated within ten minutes', async () => {
  const { environment, storage, pass, crash } = await startSession(stored);
  environment.cloud.model.state.buckets.delete(bucket);
  await pass(11 * minuteMs);
  assert.ok(environment.cloud.model.state.buckets.has(bucket));
  const before = keysIn(secretIn(environment, secretName)).accessKeyId;
  environment.cloud.model.state.keys.delete(before);
  await pass(12 * minuteMs);
  const after = keysIn(secretIn(environment, secretName)).accessKeyId;
  assert.is.not(after, before);
  assert.ok(environment.cloud.model.state.keys.has(after));
  assert.match(storage(), /^True/);
  await crash();
});

spec('working backup storage fails after three minutes without an answer', async () => {
  const { environment, storage, pass, crash } = await startSession(stored);
  const works = 'True StorageWorks: backup storage works';
  assert.is(storage(), works);
  environment.cloud.failing = silent;
  await pass(12 * minuteMs);
  assert.is(storage(), works, 'it was asked for again after ten minutes');
  await pass(3 * minuteMs);
  assert.is(storage(), 'False StorageFails: Backup storage is not working: TimeoutError: nothing heard');
  environment.cloud.failing = null;
  await pass(2 * minuteMs);
  assert.is(storage(), works);
  await crash();
});

spec('new backup storage fails after three minutes without an answer, and at once when refused', async () => {
  const { environment, storage, pass, crash } = await startSession((given) => {
    stored(given);
    given.cloud.failing = silent;
  });
  assert.is(storage(), 'Unknown Waiting: waiting: TimeoutError: nothing heard');
  await pass(2 * minuteMs);
  assert.match(storage(), /^Unknown/);
  await pass(2 * minuteMs);
  assert.is(storage(), 'False StorageFails: Backup storage is not working: TimeoutError: nothing heard');
  environment.cloud.failing = null;
  await pass(2 * minuteMs);
  assert.is(storage(), 'True StorageWorks: backup storage works');
  await crash();
  const refused = await startSession((given) => {
    stored(given);
    given.cloud.failing = denied;
  });
  assert.is(refused.storage(), 'False StorageFails: Backup storage is not working: AccessDenied: no (HTTP 403)');
  await refused.crash();
});

spec('no key of a cloud is in any object but Secrets', async () => {
  const { environment, crash } = await startSession(stored);
  const key = keysIn(secretIn(environment, secretName));
  const told = JSON.stringify(environment.cluster.everything().filter(({ kind }) => kind !== secrets.kind));
  for (const text of [rootKey.secret, key.secretAccessKey, key.accessKeyId]) assert.not(told.includes(text), text);
  assert.is(environment.cluster.all(cloudConnections).length, 1);
  await crash();
});

spec.run();

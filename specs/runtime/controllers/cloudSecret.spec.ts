import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { coreProject } from '../../../crds/coreProject.ts';
import { typeMeta } from '../../../crds/kind.ts';
import { annotation } from '../../../crds/names.ts';
import { cloudConnections, projects } from '../../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import { Refused } from '../../../runtime/services/cluster/cluster.ts';
import { bucket, startSession, minuteMs, secretName, stored } from '../../support/cloud/session.ts';
import {
  answerOf,
  conditionSaid,
  connectionName,
  keysIn,
  putConnection,
  putKeys,
  secretIn,
} from '../../support/cloud/objects.ts';
import { accountOf, rootKey } from '../../support/memory/cloud.ts';
import { inSystem, putProject } from '../../support/project.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('the Secret of a bucket');

spec('another project that names a used bucket gets a reason and no keys', async () => {
  const { environment, storage, settle, crash } = await startSession(stored);
  const before = secretIn(environment, secretName);
  putKeys(environment, undefined, 'other-keys');
  putConnection(environment, { project: 'other', secretRef: { name: 'other-keys' } }, 'others');
  environment.cluster.put(projects, {
    ...typeMeta(coreProject),
    metadata: inSystem('other'),
    spec: {
      clusterRef: { name: 'local' },
      environments: ['production'],
      backupStorage: { connectionRef: { name: 'others' }, bucket },
    },
    status: {},
  });
  await settle();
  const other = environment.cluster.all(projects).find(({ metadata }) => metadata.name === 'other');
  assert.is(
    conditionSaid(other, 'BackupStorage'),
    `False StorageFails: Backup storage is not working: bucket "${bucket}" is used through another project or cloud connection`,
  );
  assert.equal(secretIn(environment, secretName), before);
  assert.match(storage(), /^True/);
  await crash();
});

spec('a bucket without its connection is used through another connection of its project only', async () => {
  const { environment, storage, settle, pass, crash } = await startSession(stored);
  const { accessKeyId } = keysIn(secretIn(environment, secretName));
  putConnection(environment, {}, 'next');
  putProject(environment, { backupStorage: { connectionRef: { name: 'next' }, bucket } });
  await settle();
  assert.match(storage(), /^False .* is used through another project or cloud connection$/, 'the first one stands');
  environment.cluster.drop(cloudConnections, connectionName);
  await pass(2 * minuteMs);
  assert.is(storage(), 'True StorageWorks: backup storage works');
  const secret = secretIn(environment, secretName);
  assert.is(secret?.metadata.annotations?.[annotation.cloudConnection], 'next');
  assert.is(keysIn(secret).accessKeyId, accessKeyId, 'its key still works');
  environment.cluster.drop(cloudConnections, 'next');
  putConnection(environment, { project: 'other' }, 'others');
  environment.cluster.put(projects, {
    ...typeMeta(coreProject),
    metadata: inSystem('other'),
    spec: {
      clusterRef: { name: 'local' },
      environments: ['production'],
      backupStorage: { connectionRef: { name: 'others' }, bucket },
    },
    status: {},
  });
  await pass(2 * minuteMs);
  const other = environment.cluster.all(projects).find(({ metadata }) => metadata.name === 'other');
  assert.match(conditionSaid(other, 'BackupStorage'), /^False .* is used through another project/);
  await crash();
});

spec('surplus keys are deleted before another key is created', async () => {
  const { environment, storage, calls, crash } = await startSession((given) => {
    stored(given);
    const { cloud } = given.cloud;
    const policy = JSON.stringify({ Statement: [] });
    answerOf(cloud.putUser(accountOf(), { name: bucket, policy }));
    for (const _ of [1, 2]) answerOf(cloud.issueKey(accountOf(), bucket));
  });
  assert.match(storage(), /^True/);
  assert.is(calls('removeKey').length, 2);
  const ids = [...environment.cloud.model.state.keys.keys()];
  assert.equal(ids, [rootKey.accessKeyId, keysIn(secretIn(environment, secretName)).accessKeyId]);
  await crash();
});

spec('a refused Secret is reported, and no surplus key remains when the Secret is accepted', async () => {
  let isRefused = true;
  const { environment, storage, pass, crash } = await startSession(stored, {}, (cluster) => ({
    ...cluster,
    create: (resource, object) =>
      isRefused && object.metadata.name === secretName
        ? Effect.fail(new Refused({ status: 403, message: 'no Secret is let in' }))
        : cluster.create(resource, object),
  }));
  await pass(minuteMs);
  assert.is(storage(), 'Unknown Waiting: waiting: no Secret is let in');
  assert.ok(environment.cloud.model.state.keys.size <= 2, 'the one before it goes');
  isRefused = false;
  await pass(5 * minuteMs);
  assert.is(storage(), 'True StorageWorks: backup storage works');
  const ids = [...environment.cloud.model.state.keys.keys()];
  assert.equal(ids, [rootKey.accessKeyId, keysIn(secretIn(environment, secretName)).accessKeyId]);
  await crash();
});

spec('a deleted Secret of a bucket is recreated with a new key, and the old key is deleted', async () => {
  const { environment, storage, pass, crash } = await startSession(stored);
  const before = keysIn(secretIn(environment, secretName)).accessKeyId;
  environment.cluster.drop(secrets, secretName);
  await pass(minuteMs);
  const after = keysIn(secretIn(environment, secretName)).accessKeyId;
  assert.match(storage(), /^True/);
  assert.is.not(after, before);
  assert.equal([...environment.cloud.model.state.keys.keys()], [rootKey.accessKeyId, after]);
  await crash();
});

spec.run();

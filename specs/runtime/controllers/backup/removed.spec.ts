import * as assert from 'uvu/assert';
import { pointId } from '../../../../rules/backup/points.ts';
import { postgresBackups } from '../../../../runtime/owned/addonKinds.ts';
import { bucket, backupsSession, putConnection, putStorage } from '../../../support/backups.ts';
import { putDefinition, serverPod, serverMessage } from '../../../support/engines.ts';
import { suite } from '../../../support/suite.ts';

const spec = suite('backups removed from their bucket');

spec('BAK-106 BAK-107 removed base backups of Postgres are repeated at once, not at night', async () => {
  const session = await backupsSession({ engine: 'Postgres' }, (environment) => {
    putConnection(environment);
    putStorage(environment);
    putDefinition(environment);
  });
  const { environment, time } = session;
  const healthy = { phase: 'Cluster in healthy state', readyInstances: 1, currentPrimary: 'orders-1' };
  const backups = () => environment.cluster.all(postgresBackups).map(({ metadata }) => metadata.name);
  const take = () => {
    const at = new Date(time.now()).toISOString();
    const key = `shop/${session.archive()?.spec.serverName ?? ''}/base/${pointId(time.now())}/backup.info`;
    environment.cloud.put(bucket, key, `status=DONE\nend_time=${at.replace('T', ' ').replace('Z', '+00:00')}\n`);
    serverMessage(environment, { ...healthy, lastSuccessfulBackup: at });
  };
  await session.pass(2);
  await session.edit((given) => {
    serverPod(given, 'orders-1', 'ready');
    serverMessage(given, healthy);
  });
  await session.pass(65);
  assert.equal(
    [session.phase(), session.state(), backups()],
    ['Ready', 'Starting', []],
    'the schedule takes the first',
  );
  await session.edit(take);
  await session.pass(65);
  assert.equal([session.state(), backups()], ['Protected', []]);
  await session.edit(({ cloud }) => void cloud.model.state.buckets.delete(bucket));
  await session.pass(305);
  assert.equal([session.state(), backups()], ['Starting', ['orders-backup-first']]);
  assert.is(session.backup()?.lastBackupTime, undefined);
  await session.edit(take);
  await session.pass(65);
  assert.equal([session.state(), backups()], ['Protected', []]);
  await session.end();
});

spec.run();

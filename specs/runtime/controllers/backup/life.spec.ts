import * as assert from 'uvu/assert';
import { owned } from '../../../../runtime/owned/owned.ts';
import { secrets } from '../../../../runtime/services/cluster/resources.ts';
import { CloudFailed } from '../../../../runtime/services/cloud.ts';
import { historyOf } from '../../../../runtime/step/history.ts';
import {
  archivesIn,
  bucket,
  endJob,
  jobIn,
  type BackupsSession,
  backupsSession,
  putConnection,
  putDump,
  putStorage,
} from '../../../support/backups.ts';
import { putDatabase } from '../../../support/database.ts';
import { pieceIn } from '../../../support/project.ts';
import { suite } from '../../../support/suite.ts';

const spec = suite('backups of a database, from the first to the purge');
const day = 86_400_000;

async function withSession(given: Parameters<typeof backupsSession>, test: (session: BackupsSession) => Promise<void>) {
  const session = await backupsSession(...given);
  try {
    await test(session);
  } finally {
    await session.end();
  }
}

/** Its first dump is taken. */
async function protectedOnce(session: BackupsSession) {
  await session.pass(2);
  await session.run();
  await session.pass(70);
  const folder = session.archive()?.spec.serverName ?? '';
  const id = putDump(session.environment, folder, session.time.now());
  await session.edit((environment) => endJob(environment, 'orders-backup-first', 'Complete'));
  await session.pass(5);
  assert.is(session.state(), 'Protected', JSON.stringify(session.backup()));
  return { folder, id };
}

spec(
  'PRJ-081 BAK-105 BAK-078 BAK-106 BAK-080 BAK-113 a database reports missing storage, and gets an archive and a first backup when storage exists',
  () =>
    withSession([{}, (environment) => putConnection(environment)], async (session) => {
      await session.pass(5);
      assert.is(session.state(), 'NeedsStorage');
      assert.is(session.backup()?.message, 'Choose where backups are stored to protect this database');
      assert.equal(archivesIn(session.environment), []);
      await session.edit((environment) => putStorage(environment));
      await session.pass(5);
      assert.is(session.state(), 'Starting', 'at once');
      assert.is(session.backup()?.message, 'Taking the first backup');
      const [archive] = archivesIn(session.environment);
      const uid = (session.object().metadata.uid ?? '').slice(0, 8);
      assert.is(archive?.metadata.name, `orders-${uid}`);
      assert.is(archive?.spec.serverName, `orders-${uid}`);
      assert.is(archive?.spec.databaseUID, session.object().metadata.uid);
      assert.equal(archive?.spec.storage, { connectionRef: { name: 'aws' }, bucket, region: 'eu-west-1' });
      assert.is(archive?.metadata.labels?.['core.platform/kind'], 'CoreDatabase');
      assert.is(session.backup()?.archive, archive?.metadata.name);
    }),
);

spec('BAK-113 the first move of an archive is recorded by the operator that created it', () =>
  withSession([], async (session) => {
    await session.pass(5);
    assert.equal(
      archivesIn(session.environment).map((archive) =>
        historyOf(archive).map(({ from, event, by }) => `${from} ${event} ${by}`),
      ),
      [['(none) backupsTurnedOn operator']],
    );
  }),
);

spec('BAK-079 BAK-111a newly chosen storage that does not answer is reported at once', () =>
  withSession([{}, (environment) => putConnection(environment)], async (session) => {
    await session.pass(5);
    assert.is(session.backup()?.message, 'Choose where backups are stored to protect this database');
    session.environment.cloud.failing = new CloudFailed({
      code: 'Timeout',
      status: null,
      message: 'the cloud does not answer',
    });
    await session.edit((environment) => putStorage(environment));
    await session.pass(20);
    assert.is(session.state(), 'NeedsStorage');
    assert.is(session.backup()?.message, 'Backup storage is not working: the cloud does not answer');
    session.environment.cloud.failing = null;
    await session.pass(70);
    assert.is(session.state(), 'Starting');
  }),
);

spec('BAK-106 BAK-079 an account connected after its storage was named takes effect at once', () =>
  withSession([{}, (environment) => putStorage(environment)], async (session) => {
    await session.pass(5);
    assert.is(session.state(), 'NeedsStorage');
    assert.match(session.backup()?.message ?? '', /^Backup storage is not working: /);
    await session.edit((environment) => putConnection(environment));
    await session.pass(5);
    assert.is(session.state(), 'Starting');
  }),
);

spec(
  'BAK-107 BAK-081 BAK-074 BAK-004 DB-106 DB-125 BAK-009 a database is Protected with a dump in the bucket, which the archive lists',
  () =>
    withSession([], async (session) => {
      const { folder, id } = await protectedOnce(session);
      assert.is(session.backup()?.message, 'Backups are running');
      const archive = session.archive();
      assert.equal(
        archive?.status?.restorePoints?.map((point) => point.id),
        [id],
      );
      assert.is(session.backup()?.lastBackupTime, archive?.status?.lastBackupTime);
      assert.is(archive?.spec.serverName, folder);
      const credentials = pieceIn(session.environment, owned.secrets, 'orders-backup-credentials');
      assert.equal(Object.keys(credentials?.data ?? {}), ['ACCESS_KEY_ID', 'ACCESS_SECRET_KEY', 'REGION']);
      assert.ok(
        session.environment.cluster
          .all(secrets)
          .some(({ metadata }) => metadata.name === `core-backup-storage-${bucket}`),
      );
      assert.ok(pieceIn(session.environment, owned.cronJobs, 'orders-backup'));
      assert.is(jobIn(session.environment, 'orders-backup-first'), undefined, 'the first is not taken again');
      const states = session.moves('databaseBackup').map((move) => move.split(' ')[2]);
      assert.equal([...new Set(states)], ['Starting', 'Protected']);
    }),
);

spec('a protected database at rest writes nothing and lists its bucket once in five minutes', () =>
  withSession([], async (session) => {
    await protectedOnce(session);
    await session.pass(700);
    const versions = () =>
      [session.object(), ...archivesIn(session.environment)].map((one) => one.metadata.resourceVersion);
    const before = versions();
    const asked = session.environment.cloud.calls.length;
    await session.pass(600);
    assert.equal(versions(), before);
    const calls = session.environment.cloud.calls.slice(asked);
    assert.ok(calls.length <= 4, calls.join('\n'));
  }),
);

spec(
  'BAK-109 BAK-083 BAK-110 a database is AtRisk after a failed or missed night, and Protected after the next one',
  () =>
    withSession([], async (session) => {
      const { folder } = await protectedOnce(session);
      session.time.jump(2 * day);
      await session.pass(120);
      assert.is(session.state(), 'AtRisk', 'no CronJob ran in two nights');
      assert.is(session.backup()?.message, 'The latest backup failed');
      putDump(session.environment, folder, session.time.wall());
      await session.pass(70);
      assert.is(session.state(), 'Protected');
    }),
);

spec(
  'BAK-111 BAK-079 BAK-123 refused storage is reported at once, silent storage after three minutes, and both recover',
  () =>
    withSession([], async (session) => {
      await protectedOnce(session);
      const { cloud } = session.environment;
      cloud.failing = new CloudFailed({ code: 'AccessDenied', status: 403, message: 'AccessDenied: no' });
      await session.pass(310);
      assert.is(session.state(), 'NeedsStorage');
      assert.is(session.backup()?.message, 'Backup storage is not working: AccessDenied: no');
      assert.is(session.archive()?.status?.restorePoints?.length, 1, 'nothing is lost');
      cloud.failing = null;
      await session.pass(70);
      assert.is(session.state(), 'Protected');
      cloud.failing = new CloudFailed({ code: 'Timeout', status: null, message: 'the cloud does not answer' });
      await session.pass(310);
      assert.is(session.state(), 'Protected');
      await session.pass(500);
      assert.is(session.state(), 'NeedsStorage');
      cloud.failing = null;
      await session.pass(70);
      assert.is(session.state(), 'Protected');
    }),
);

spec(
  'BAK-112 BAK-117 BAK-072 BAK-077 BAK-114 DB-108 disabled backups remove the status and retire the archive, and enabled ones create another archive',
  () =>
    withSession([], async (session) => {
      const { folder } = await protectedOnce(session);
      const off = session.time.now();
      await session.edit((environment) => putDatabase(environment, { backup: { enabled: false, retentionDays: 7 } }));
      await session.pass(5);
      assert.is(session.backup(), undefined);
      const [retired] = archivesIn(session.environment);
      assert.ok(Math.abs(Date.parse(retired?.spec.deleteAfter ?? '') - off - 7 * day) < 10_000);
      assert.is(pieceIn(session.environment, owned.cronJobs, 'orders-backup'), undefined);
      await session.edit((environment) => putDatabase(environment, { backup: { enabled: true, retentionDays: 3 } }));
      await session.pass(70);
      assert.is(session.archive()?.spec.serverName, `${folder}-2`);
      assert.is(session.archive()?.spec.retentionDays, 3);
      session.time.jump(8 * day);
      await session.pass(120);
      assert.equal(
        archivesIn(session.environment).map(({ metadata }) => metadata.name),
        [folder, `${folder}-2`],
        'an archive whose database lives is kept',
      );
    }),
);

spec('BAK-048 BAK-073 the archive follows the retention, and unneeded dumps are deleted', () =>
  withSession([], async (session) => {
    const { folder, id } = await protectedOnce(session);
    const now = session.time.now();
    const old = [4, 5, 9].map((days) => putDump(session.environment, folder, now - days * day));
    await session.edit((environment) => putDatabase(environment, { backup: { enabled: true, retentionDays: 3 } }));
    assert.is(session.archive()?.spec.retentionDays, 3);
    await session.pass(700);
    assert.equal(
      session.archive()?.status?.restorePoints?.map((point) => point.id),
      [id, old[0]],
    );
    const versions = session.environment.cloud.stored(bucket);
    assert.equal(versions.filter((key) => key.includes('/dumps/')).length, 2);
  }),
);

spec(
  'DB-222 DB-224 BAK-018 BAK-020 BAK-116 BAK-021 DB-137 a deletion takes a last dump, keeps the archive and then deletes the workload',
  () =>
    withSession([], async (session) => {
      await protectedOnce(session);
      await session.remove();
      assert.is(session.phase(), 'FinalBackup');
      assert.is(session.message(), 'One last backup is taken before the database is deleted');
      assert.ok(jobIn(session.environment, 'orders-final'), 'a Job takes the last dump');
      assert.ok(pieceIn(session.environment, owned.deployments, 'orders'), 'the server stands until then');
      await session.edit((environment) => endJob(environment, 'orders-final', 'Failed'));
      await session.pass(35);
      assert.is(session.phase(), 'FinalBackup');
      const folder = archivesIn(session.environment)[0]?.spec.serverName ?? '';
      const last = putDump(session.environment, folder, session.time.now());
      const at = session.time.now();
      await session.edit((environment) => endJob(environment, 'orders-final', 'Complete'));
      await session.pass(10);
      assert.is(session.found(), undefined);
      const [archive] = archivesIn(session.environment);
      assert.is(archive?.status?.restorePoints?.[0]?.id, last, 'the archive got the last point');
      assert.ok(Math.abs(Date.parse(archive?.spec.deleteAfter ?? '') - at - 7 * day) < 15_000);
      assert.is(pieceIn(session.environment, owned.deployments, 'orders'), undefined);
      assert.is(pieceIn(session.environment, owned.secrets, 'orders-backup-credentials'), undefined);
      assert.is(jobIn(session.environment, 'orders-final'), undefined);
    }),
);

spec('DB-222 DB-224 a clock set at the start of a deletion does not shorten the wait for the last backup', () =>
  withSession([], async (session) => {
    await protectedOnce(session);
    let isSet = false;
    // The database's pass has seen the deletion, that of the archive has not.
    session.environment.cluster.onChange((changed) => {
      if (isSet || changed.kind !== 'CoreDatabase' || session.phase() !== 'FinalBackup') return;
      isSet = true;
      session.time.jump(660_000);
    });
    await session.remove();
    await session.pass(60);
    assert.ok(isSet);
    assert.is(session.phase(), 'FinalBackup');
    assert.is(archivesIn(session.environment)[0]?.spec.deleteAfter, undefined, 'the last backup has its ten minutes');
  }),
);

spec('BAK-120 BAK-076 BAK-084 the purge after seven days deletes only its own folder and the archive', () =>
  withSession([], async (session) => {
    const { folder } = await protectedOnce(session);
    const { cloud } = session.environment;
    cloud.put(bucket, `shop/${folder}-2/dumps/neighbour`, 'x');
    cloud.put(bucket, `shop/${folder}x`, 'x');
    cloud.put(bucket, `shop/${folder}/odd \u0001 name`, 'x');
    await session.remove();
    putDump(session.environment, folder, session.time.now());
    await session.edit((environment) => endJob(environment, 'orders-final', 'Complete'));
    session.time.jump(7 * day - 600_000);
    await session.pass(120);
    assert.is(archivesIn(session.environment).length, 1);
    const { CloudFailed } = await import('../../../../runtime/services/cloud.ts');
    cloud.failing = new CloudFailed({ code: 'AccessDenied', status: 403, message: 'AccessDenied: no' });
    await session.pass(600);
    const purged = () => archivesIn(session.environment)[0]?.status?.conditions?.find(({ type }) => type === 'Purged');
    assert.is(`${purged()?.status} ${purged()?.reason} ${purged()?.message}`, 'False PurgeFailed AccessDenied: no');
    cloud.failing = null;
    await session.pass(16 * 60);
    assert.equal(archivesIn(session.environment), []);
    assert.equal(
      cloud.stored(bucket).toSorted((a, b) => a.localeCompare(b)),
      [`shop/${folder}-2/dumps/neighbour`, `shop/${folder}x`].toSorted((a, b) => a.localeCompare(b)),
    );
  }),
);

spec.run();

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
  type LiveBackups,
  liveBackups,
  putConnection,
  putDump,
  putStorage,
} from '../../../support/backups.ts';
import { putDatabase } from '../../../support/database.ts';
import { pieceIn } from '../../../support/project.ts';
import { suite } from '../../../support/suite.ts';

const spec = suite('backups of a database, from the first to the purge');
const day = 86_400_000;

async function living(given: Parameters<typeof liveBackups>, test: (live: LiveBackups) => Promise<void>) {
  const live = await liveBackups(...given);
  try {
    await test(live);
  } finally {
    await live.end();
  }
}

/** Its first dump is taken. */
async function protectedOnce(live: LiveBackups) {
  await live.pass(2);
  await live.run();
  await live.pass(70);
  const folder = live.archive()?.spec.serverName ?? '';
  const id = putDump(live.world, folder, live.time.now());
  await live.edit((world) => endJob(world, 'orders-backup-first', 'Complete'));
  await live.pass(5);
  assert.is(live.state(), 'Protected', JSON.stringify(live.backup()));
  return { folder, id };
}

spec(
  'PRJ-081 BAK-105 BAK-078 BAK-106 BAK-080 BAK-113 without storage it says so; with it an archive is made and the first backup taken',
  () =>
    living([{}, (world) => putConnection(world)], async (live) => {
      await live.pass(5);
      assert.is(live.state(), 'NeedsStorage');
      assert.is(live.backup()?.message, 'Choose where backups are stored to protect this database');
      assert.equal(archivesIn(live.world), []);
      await live.edit((world) => putStorage(world));
      await live.pass(5);
      assert.is(live.state(), 'Starting', 'at once');
      assert.is(live.backup()?.message, 'Taking the first backup');
      const [archive] = archivesIn(live.world);
      const uid = (live.object().metadata.uid ?? '').slice(0, 8);
      assert.is(archive?.metadata.name, `orders-${uid}`);
      assert.is(archive?.spec.serverName, `orders-${uid}`);
      assert.is(archive?.spec.databaseUID, live.object().metadata.uid);
      assert.equal(archive?.spec.storage, { connectionRef: { name: 'aws' }, bucket, region: 'eu-west-1' });
      assert.is(archive?.metadata.labels?.['core.platform/kind'], 'CoreDatabase');
      assert.is(live.backup()?.archive, archive?.metadata.name);
    }),
);

spec('BAK-113 the first move of an archive is by the operator, which made it', () =>
  living([], async (live) => {
    await live.pass(5);
    assert.equal(
      archivesIn(live.world).map((archive) =>
        historyOf(archive).map(({ from, event, by }) => `${from} ${event} ${by}`),
      ),
      [['(none) backupsTurnedOn operator']],
    );
  }),
);

spec(
  'BAK-079 BAK-111a storage that was just chosen and does not answer is named at once, not asked for once more',
  () =>
    living([{}, (world) => putConnection(world)], async (live) => {
      await live.pass(5);
      assert.is(live.backup()?.message, 'Choose where backups are stored to protect this database');
      live.world.cloud.failing = new CloudFailed({ code: 'Timeout', status: null, why: 'the cloud does not answer' });
      await live.edit((world) => putStorage(world));
      await live.pass(20);
      assert.is(live.state(), 'NeedsStorage');
      assert.is(live.backup()?.message, 'Backup storage is not working: the cloud does not answer');
      live.world.cloud.failing = null;
      await live.pass(70);
      assert.is(live.state(), 'Starting');
    }),
);

spec('BAK-106 BAK-079 an account that is linked after its storage was named is heard of at once', () =>
  living([{}, (world) => putStorage(world)], async (live) => {
    await live.pass(5);
    assert.is(live.state(), 'NeedsStorage');
    assert.match(live.backup()?.message ?? '', /^Backup storage is not working: /);
    await live.edit((world) => putConnection(world));
    await live.pass(5);
    assert.is(live.state(), 'Starting');
  }),
);

spec(
  'BAK-107 BAK-081 BAK-074 BAK-004 DB-106 DB-125 BAK-009 a dump in the bucket protects it, and the archive lists it',
  () =>
    living([], async (live) => {
      const { folder, id } = await protectedOnce(live);
      assert.is(live.backup()?.message, 'Backups are running');
      const archive = live.archive();
      assert.equal(
        archive?.status?.restorePoints?.map((point) => point.id),
        [id],
      );
      assert.is(live.backup()?.lastBackupTime, archive?.status?.lastBackupTime);
      assert.is(archive?.spec.serverName, folder);
      const credentials = pieceIn(live.world, owned.secrets, 'orders-backup-credentials');
      assert.equal(Object.keys(credentials?.data ?? {}), ['ACCESS_KEY_ID', 'ACCESS_SECRET_KEY', 'REGION']);
      assert.ok(
        live.world.cluster.all(secrets).some(({ metadata }) => metadata.name === `core-backup-storage-${bucket}`),
      );
      assert.ok(pieceIn(live.world, owned.cronJobs, 'orders-backup'));
      assert.is(jobIn(live.world, 'orders-backup-first'), undefined, 'the first is not taken again');
      const states = live.moves('databaseBackup').map((move) => move.split(' ')[2]);
      assert.equal([...new Set(states)], ['Starting', 'Protected']);
    }),
);

spec('at rest nothing is written, and the bucket is listed once in five minutes for both', () =>
  living([], async (live) => {
    await protectedOnce(live);
    await live.pass(700);
    const versions = () => [live.object(), ...archivesIn(live.world)].map((one) => one.metadata.resourceVersion);
    const before = versions();
    const asked = live.world.cloud.calls.length;
    await live.pass(600);
    assert.equal(versions(), before);
    const calls = live.world.cloud.calls.slice(asked);
    assert.ok(calls.length <= 4, calls.join('\n'));
  }),
);

spec('BAK-109 BAK-083 BAK-110 a night that fails puts it at risk, as one that is missed does; the next mends it', () =>
  living([], async (live) => {
    const { folder } = await protectedOnce(live);
    live.time.jump(2 * day);
    await live.pass(120);
    assert.is(live.state(), 'AtRisk', 'no CronJob ran in two nights');
    assert.is(live.backup()?.message, 'The latest backup failed');
    putDump(live.world, folder, live.time.wall());
    await live.pass(70);
    assert.is(live.state(), 'Protected');
  }),
);

spec(
  'BAK-111 BAK-079 BAK-123 storage that is refused is said at once, silence after three minutes; both are mended',
  () =>
    living([], async (live) => {
      await protectedOnce(live);
      const { cloud } = live.world;
      cloud.failing = new CloudFailed({ code: 'AccessDenied', status: 403, why: 'AccessDenied: no' });
      await live.pass(310);
      assert.is(live.state(), 'NeedsStorage');
      assert.is(live.backup()?.message, 'Backup storage is not working: AccessDenied: no');
      assert.is(live.archive()?.status?.restorePoints?.length, 1, 'nothing is lost');
      cloud.failing = null;
      await live.pass(70);
      assert.is(live.state(), 'Protected');
      cloud.failing = new CloudFailed({ code: 'Timeout', status: null, why: 'the cloud does not answer' });
      await live.pass(310);
      assert.is(live.state(), 'Protected');
      await live.pass(500);
      assert.is(live.state(), 'NeedsStorage');
      cloud.failing = null;
      await live.pass(70);
      assert.is(live.state(), 'Protected');
    }),
);

spec(
  'BAK-112 BAK-117 BAK-072 BAK-077 BAK-114 DB-108 off removes the status and retires the archive; on again makes another',
  () =>
    living([], async (live) => {
      const { folder } = await protectedOnce(live);
      const off = live.time.now();
      await live.edit((world) => putDatabase(world, { backup: { enabled: false, retentionDays: 7 } }));
      await live.pass(5);
      assert.is(live.backup(), undefined);
      const [retired] = archivesIn(live.world);
      assert.ok(Math.abs(Date.parse(retired?.spec.deleteAfter ?? '') - off - 7 * day) < 10_000);
      assert.is(pieceIn(live.world, owned.cronJobs, 'orders-backup'), undefined);
      await live.edit((world) => putDatabase(world, { backup: { enabled: true, retentionDays: 3 } }));
      await live.pass(70);
      assert.is(live.archive()?.spec.serverName, `${folder}-2`);
      assert.is(live.archive()?.spec.retentionDays, 3);
      live.time.jump(8 * day);
      await live.pass(120);
      assert.equal(
        archivesIn(live.world).map(({ metadata }) => metadata.name),
        [folder, `${folder}-2`],
        'an archive whose database lives is kept',
      );
    }),
);

spec('BAK-048 BAK-073 the archive follows the retention, and dumps that it does not need are deleted', () =>
  living([], async (live) => {
    const { folder, id } = await protectedOnce(live);
    const now = live.time.now();
    const old = [4, 5, 9].map((days) => putDump(live.world, folder, now - days * day));
    await live.edit((world) => putDatabase(world, { backup: { enabled: true, retentionDays: 3 } }));
    assert.is(live.archive()?.spec.retentionDays, 3);
    await live.pass(700);
    assert.equal(
      live.archive()?.status?.restorePoints?.map((point) => point.id),
      [id, old[0]],
    );
    const versions = live.world.cloud.stored(bucket);
    assert.equal(versions.filter((key) => key.includes('/dumps/')).length, 2);
  }),
);

spec(
  'DB-222 DB-224 BAK-018 BAK-020 BAK-116 BAK-021 DB-137 deletion takes a last dump, keeps the archive, then the workload goes',
  () =>
    living([], async (live) => {
      await protectedOnce(live);
      await live.remove();
      assert.is(live.phase(), 'FinalBackup');
      assert.is(live.message(), 'One last backup is taken before the database is deleted');
      assert.ok(jobIn(live.world, 'orders-final'), 'a Job takes the last dump');
      assert.ok(pieceIn(live.world, owned.deployments, 'orders'), 'the server stands until then');
      await live.edit((world) => endJob(world, 'orders-final', 'Failed'));
      await live.pass(35);
      assert.is(live.phase(), 'FinalBackup');
      const folder = archivesIn(live.world)[0]?.spec.serverName ?? '';
      const last = putDump(live.world, folder, live.time.now());
      const at = live.time.now();
      await live.edit((world) => endJob(world, 'orders-final', 'Complete'));
      await live.pass(10);
      assert.is(live.found(), undefined);
      const [archive] = archivesIn(live.world);
      assert.is(archive?.status?.restorePoints?.[0]?.id, last, 'the archive got the last point');
      assert.ok(Math.abs(Date.parse(archive?.spec.deleteAfter ?? '') - at - 7 * day) < 15_000);
      assert.is(pieceIn(live.world, owned.deployments, 'orders'), undefined);
      assert.is(pieceIn(live.world, owned.secrets, 'orders-backup-credentials'), undefined);
      assert.is(jobIn(live.world, 'orders-final'), undefined);
    }),
);

spec(
  'DB-222 DB-224 a clock that is set as the deletion begins cuts the wait for the last backup short for nobody',
  () =>
    living([], async (live) => {
      await protectedOnce(live);
      let isSet = false;
      // The database's pass has seen the deletion, that of the archive has not.
      live.world.cluster.onChange((changed) => {
        if (isSet || changed.kind !== 'CoreDatabase' || live.phase() !== 'FinalBackup') return;
        isSet = true;
        live.time.jump(660_000);
      });
      await live.remove();
      await live.pass(60);
      assert.ok(isSet);
      assert.is(live.phase(), 'FinalBackup');
      assert.is(archivesIn(live.world)[0]?.spec.deleteAfter, undefined, 'the last backup has its ten minutes');
    }),
);

spec('BAK-120 BAK-076 BAK-084 seven days later the purge takes its folder alone, and the archive', () =>
  living([], async (live) => {
    const { folder } = await protectedOnce(live);
    const { cloud } = live.world;
    cloud.put(bucket, `shop/${folder}-2/dumps/neighbour`, 'x');
    cloud.put(bucket, `shop/${folder}x`, 'x');
    cloud.put(bucket, `shop/${folder}/odd \u0001 name`, 'x');
    await live.remove();
    putDump(live.world, folder, live.time.now());
    await live.edit((world) => endJob(world, 'orders-final', 'Complete'));
    live.time.jump(7 * day - 600_000);
    await live.pass(120);
    assert.is(archivesIn(live.world).length, 1);
    const { CloudFailed } = await import('../../../../runtime/services/cloud.ts');
    cloud.failing = new CloudFailed({ code: 'AccessDenied', status: 403, why: 'AccessDenied: no' });
    await live.pass(600);
    const purged = () => archivesIn(live.world)[0]?.status?.conditions?.find(({ type }) => type === 'Purged');
    assert.is(`${purged()?.status} ${purged()?.reason} ${purged()?.message}`, 'False PurgeFailed AccessDenied: no');
    cloud.failing = null;
    await live.pass(16 * 60);
    assert.equal(archivesIn(live.world), []);
    assert.equal(
      cloud.stored(bucket).toSorted((a, b) => a.localeCompare(b)),
      [`shop/${folder}-2/dumps/neighbour`, `shop/${folder}x`].toSorted((a, b) => a.localeCompare(b)),
    );
  }),
);

spec.run();

import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import type { CoreBackupArchive } from '../../../../crds/coreBackupArchive.ts';
import type { DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { backupArchives, cloudConnections, databases } from '../../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { secrets } from '../../../../runtime/services/cluster/resources.ts';
import { historyOf } from '../../../../runtime/step/history.ts';
import { CloudFailed } from '../../../../runtime/services/cloud.ts';
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
import { databaseIn, databaseName, putDatabase } from '../../../support/database.ts';
import { pieceIn } from '../../../support/project.ts';
import { suite } from '../../../support/suite.ts';
import type { World } from '../../../support/world.ts';

const spec = suite('backups at their edges: where there are none, what goes wrong, what is left');
const day = 86_400_000;
const minute = 60_000;

async function living(given: Parameters<typeof liveBackups>, test: (live: LiveBackups) => Promise<void>) {
  const live = await liveBackups(...given);
  try {
    await test(live);
  } finally {
    await live.end();
  }
}

/** Its first dump is taken. */
async function protectedOnce(live: LiveBackups): Promise<string> {
  await live.pass(2);
  await live.run();
  await live.pass(5);
  const folder = live.archive()?.spec.serverName ?? '';
  putDump(live.world, folder, live.time.now());
  await live.edit((world) => endJob(world, 'orders-backup-first', 'Complete'));
  await live.pass(5);
  assert.is(live.state(), 'Protected', JSON.stringify(live.backup()));
  return folder;
}

const refusing = (code: string, status: number | null) =>
  new CloudFailed({ code, status, why: status === null ? code : `${code}: no (HTTP ${status})` });
const retiredAt = (archive: CoreBackupArchive | undefined) => Date.parse(archive?.spec.deleteAfter ?? '') - 7 * day;
const isAbout = (at: number, wanted: number) => assert.ok(Math.abs(at - wanted) < 15_000, `${at} is not ${wanted}`);
const purgedIn = (world: World) => {
  const found = archivesIn(world)[0]?.status?.conditions?.find(({ type }) => type === 'Purged');
  return found ? `${found.status} ${found.reason}: ${found.message}` : '';
};
const cronJob = (world: World) => pieceIn(world, owned.cronJobs, 'orders-backup');

spec(
  'DB-059 BAK-012 Redis and external databases ignore the setting: no state, no archive, nothing that takes one',
  async () => {
    const kinds: readonly Partial<DatabaseSpec>[] = [
      { engine: 'Redis' },
      {
        engine: 'MySQL',
        placement: 'External',
        externalHost: 'db.example',
        username: 'shop',
        passwordSecretRef: { name: 'orders-password', key: 'password' },
      },
    ];
    for (const kind of kinds)
      await living([kind], async (live) => {
        await live.pass(130);
        assert.is(live.backup(), undefined);
        assert.equal(archivesIn(live.world), []);
        assert.is(cronJob(live.world), undefined);
        assert.equal(live.world.cloud.calls, [], 'no cloud is asked');
      });
    for (const engine of ['Postgres', 'MySQL', 'SQLite'] as const)
      await living([{ engine }], async (live) => {
        await live.pass(5);
        assert.is(live.state(), 'Starting', engine);
        assert.is(archivesIn(live.world).length, 1);
      });
  },
);

spec('BAK-006 a shared server has no project, and so nowhere to put backups', () =>
  living([{ engine: 'Postgres', project: undefined as never, environment: undefined as never }], async (live) => {
    await live.pass(130);
    assert.is(live.state(), 'NeedsStorage');
    assert.is(live.backup()?.message, 'Choose where backups are stored to protect this database');
    assert.equal(archivesIn(live.world), []);
  }),
);

const unanswered = refusing('the cloud does not answer', null);

spec(
  'BAK-016 BAK-017 a plan that cannot be worked out leaves the database running, and is tried again after a minute',
  () =>
    living(
      [
        {},
        (world) => {
          putConnection(world);
          putStorage(world);
          world.cloud.failing = unanswered;
        },
      ],
      async (live) => {
        await live.pass(2);
        await live.run();
        await live.pass(2);
        assert.is(live.phase(), 'Ready');
        assert.is(live.backup(), undefined, 'nothing is known yet');
        const asked = live.world.cloud.calls.length;
        live.world.cloud.failing = null;
        await live.pass(50);
        assert.is(live.world.cloud.calls.length, asked, 'not before a minute');
        await live.pass(15);
        assert.is(live.state(), 'Starting');
      },
    ),
);

spec('BAK-019 the last backup is waited for up to ten minutes, and no longer', () =>
  living([], async (live) => {
    await protectedOnce(live);
    await live.remove();
    assert.ok(jobIn(live.world, 'orders-final'));
    await live.pass(590);
    assert.is(live.phase(), 'FinalBackup');
    assert.ok(pieceIn(live.world, owned.deployments, databaseName), 'it is served until then');
    await live.pass(20);
    assert.is(live.found(), undefined);
    assert.is(jobIn(live.world, 'orders-final'), undefined);
    assert.is(archivesIn(live.world)[0]?.status?.restorePoints?.length, 1, 'what there was is kept');
  }),
);

spec(
  'BAK-031 BAK-034 an archive has no finalizer: deleted by hand it is gone at once, and its backups stay in the bucket',
  () =>
    living([], async (live) => {
      const folder = await protectedOnce(live);
      const points = live.archive()?.status?.restorePoints;
      assert.is(live.archive()?.metadata.finalizers, undefined);
      const before = live.world.cloud.stored(bucket);
      const uid = live.archive()?.metadata.uid;
      await live.edit(({ cluster }) => cluster.drop(backupArchives, folder));
      await live.pass(70);
      assert.equal(live.world.cloud.stored(bucket), before);
      assert.ok(live.archive() !== undefined && live.archive()?.metadata.uid !== uid, 'its database makes another');
      assert.equal(live.archive()?.status?.restorePoints, points, 'nothing is lost');
      assert.is(live.state(), 'Protected');
      await live.remove();
      await live.edit((world) => endJob(world, 'orders-final', 'Complete'));
      await live.pass(10);
      assert.is(live.found(), undefined);
      const left = live.world.cloud.stored(bucket);
      await live.edit(({ cluster }) => cluster.drop(backupArchives, folder));
      live.time.jump(30 * day);
      await live.pass(1_000);
      assert.equal(archivesIn(live.world), []);
      assert.equal(live.world.cloud.stored(bucket), left, 'nobody purges what no archive tells of');
    }),
);

spec('BAK-056 BAK-057 an archive tells when the latest backup finished, and from when on it can be restored', () =>
  living([], async (live) => {
    const folder = await protectedOnce(live);
    const now = live.time.now();
    const [oldest, newest] = [now - 3 * day, now + minute];
    putDump(live.world, folder, oldest);
    putDump(live.world, folder, now - day);
    putDump(live.world, folder, newest);
    await live.pass(320);
    const whole = (at: number) => new Date(Math.floor(at / 1_000) * 1_000).toISOString();
    assert.is(live.archive()?.status?.lastBackupTime, whole(newest));
    assert.is(live.archive()?.status?.recoveryWindowStart, whole(oldest));
    assert.is(live.backup()?.recoveryWindowStart, whole(oldest));
  }),
);

spec('BAK-056 the last points of a retired archive are listed once the cloud answers, whoever looks meanwhile', () =>
  living([], async (live) => {
    const folder = await protectedOnce(live);
    live.world.cloud.failing = unanswered;
    const last = putDump(live.world, folder, live.time.now());
    await live.edit((world) => putDatabase(world, { backup: { enabled: false, retentionDays: 7 } }));
    for (const look of ['1', '2', '3'])
      await live.edit(({ cluster }) => {
        Effect.runSync(cluster.patch(backupArchives, { name: folder }, { metadata: { annotations: { look } } }));
      });
    live.world.cloud.failing = null;
    await live.pass(65);
    assert.is(archivesIn(live.world)[0]?.status?.restorePoints?.[0]?.id, last);
  }),
);

spec('BAK-075 BAK-119 an archive whose database went without clean-up is retired, and says so', () =>
  living([], async (live) => {
    await protectedOnce(live);
    const at = live.time.now();
    await live.edit(({ cluster }) => {
      Effect.runSync(cluster.patch(databases, { name: databaseName }, { metadata: { finalizers: null } }));
      cluster.drop(databases, databaseName);
    });
    await live.pass(400);
    assert.is(live.found(), undefined);
    const [archive] = archivesIn(live.world);
    isAbout(retiredAt(archive), at);
    const move = archive && historyOf(archive).at(-1);
    assert.equal([move?.event, move?.text], ['ownerVanished', 'the database is gone']);
  }),
);

spec('BAK-118 a database that runs in another namespace retires its archive and begins another', () =>
  living([], async (live) => {
    const folder = await protectedOnce(live);
    const at = live.time.now();
    await live.edit((world) => putDatabase(world, { environment: 'staging' }));
    await live.pass(130);
    const old = archivesIn(live.world).find(({ metadata }) => metadata.name === folder);
    isAbout(retiredAt(old), at);
    assert.is(live.archive()?.spec.serverName, `${folder}-2`, 'a new cluster never archives into an old folder');
    assert.is(live.archive()?.spec.environment, 'staging');
  }),
);

/** A deleted database whose archive is due for the purge, which does not come through. */
async function due(live: LiveBackups, hinders: (world: World) => void) {
  await protectedOnce(live);
  await live.remove();
  await live.edit((world) => endJob(world, 'orders-final', 'Complete'));
  await live.pass(10);
  assert.is(live.found(), undefined);
  await live.edit(hinders);
  live.time.jump(7 * day);
  await live.pass(30);
}

spec(
  'BAK-121 BAK-085 BAK-086 a purge without its connection, Secret or keys says so, and is tried again as they come',
  async () => {
    const blockers: readonly ((world: World) => void)[] = [
      ({ cluster }) => cluster.drop(cloudConnections, 'aws'),
      ({ cluster }) => cluster.drop(secrets, 'aws-keys'),
      ({ cluster }) =>
        void cluster.put(secrets, { metadata: { name: 'aws-keys', namespace: 'core-system' }, data: {} }),
      (world) => {
        const [connection] = world.cluster.all(cloudConnections);
        if (connection)
          world.cluster.put(cloudConnections, { ...connection, spec: { ...connection.spec, project: 'blog' } });
      },
    ];
    for (const hinders of blockers)
      await living([], async (live) => {
        await due(live, hinders);
        assert.is(purgedIn(live.world), 'False ConnectionUnavailable: cloud connection "aws" is unavailable');
        await live.edit((world) => putConnection(world));
        await live.pass(10);
        assert.equal(archivesIn(live.world), []);
        assert.equal(live.world.cloud.stored(bucket), []);
      });
  },
);

spec(
  'BAK-122 BAK-084 BAK-087 a purge that the cloud refuses says its code and text, and is tried again each quarter of an hour',
  async () => {
    const answers = [
      [refusing('AccessDenied', 403), 'AccessDenied: no (HTTP 403)'],
      [refusing('PermanentRedirect', 301), 'PermanentRedirect: no (HTTP 301)'],
      [refusing('OperationAborted', 409), 'OperationAborted: no (HTTP 409)'],
      [refusing('SlowDown', 503), 'SlowDown: no (HTTP 503)'],
      [refusing('TimeoutError', null), 'TimeoutError: TimeoutError'],
    ] as const;
    for (const [failing, words] of answers)
      await living([], async (live) => {
        const { cloud } = live.world;
        await due(live, () => {
          cloud.failing = failing;
        });
        assert.is(purgedIn(live.world), `False PurgeFailed: ${words}`);
        const asked = cloud.calls.length;
        await live.pass(14 * 60);
        assert.is(cloud.calls.length, asked, 'not before');
        await live.pass(90);
        assert.ok(cloud.calls.length > asked);
        cloud.failing = null;
        await live.pass(16 * 60);
        assert.equal(archivesIn(live.world), []);
      });
  },
);

spec(
  'BAK-076 a page that the cloud removes but for one object, in an answer of 200, is a refusal; nothing is forgotten',
  () =>
    living([], async (live) => {
      const { cloud } = live.world;
      const { remove } = cloud.model;
      let keeps = true;
      Object.assign(cloud.model, {
        remove: (...given: Parameters<typeof remove>) => {
          if (keeps && given[1].key.endsWith('kept'))
            throw Object.assign(new Error('not this one'), { code: 'AccessDenied' });
          return remove(...given);
        },
      });
      await due(live, (world) => {
        const [archive] = archivesIn(world);
        cloud.put(bucket, `shop/${archive?.spec.serverName}/kept`, 'x');
      });
      assert.is(purgedIn(live.world), 'False PurgeFailed: AccessDenied: not this one');
      assert.is(cloud.stored(bucket).length, 1, 'the rest of the page is gone');
      keeps = false;
      await live.pass(16 * 60);
      assert.equal([archivesIn(live.world), cloud.stored(bucket)], [[], []]);
    }),
);

spec('two databases of one name in turn have folders, points and ends of their own', () =>
  living([], async (live) => {
    const first = await protectedOnce(live);
    await live.remove();
    await live.edit((world) => endJob(world, 'orders-final', 'Complete'));
    await live.pass(10);
    assert.is(databaseIn(live.world), undefined);
    await live.edit((world) =>
      putDatabase(world, { deploy: { enabled: true }, backup: { enabled: true, retentionDays: 7 } }),
    );
    const second = await protectedOnce(live);
    assert.is.not(second, first);
    const counted = Object.fromEntries(
      archivesIn(live.world).map(({ metadata, status }) => [metadata.name, status?.restorePoints?.length]),
    );
    assert.equal(counted, { [first]: 1, [second]: 1 });
    live.time.jump(7 * day + minute);
    await live.pass(60);
    assert.equal(
      archivesIn(live.world).map(({ metadata }) => metadata.name),
      [second],
    );
    assert.ok(live.world.cloud.stored(bucket).every((key) => key.startsWith(`shop/${second}/`)));
    await live.remove();
    assert.is(live.phase(), 'FinalBackup', 'it takes a last one of its own');
  }),
);

spec('a key rotated and a connection gone during the last backup: it is waited out, and what is saved is kept', () =>
  living([], async (live) => {
    const folder = await protectedOnce(live);
    await live.remove();
    await live.edit(({ cluster, cloud }) => {
      for (const { id, user } of cloud.model.state.keys.values()) if (user !== null) cloud.model.state.keys.delete(id);
      cluster.drop(cloudConnections, 'aws');
      endJob(live.world, 'orders-final', 'Failed');
    });
    await live.pass(620);
    assert.is(live.found(), undefined);
    assert.is(archivesIn(live.world)[0]?.metadata.name, folder);
    assert.is(archivesIn(live.world)[0]?.status?.restorePoints?.length, 1);
    assert.is(live.world.cloud.stored(bucket).length, 1);
  }),
);

spec.run();

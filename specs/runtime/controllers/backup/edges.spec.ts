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
  type BackupsSession,
  backupsSession,
  putConnection,
  putDump,
  putStorage,
} from '../../../support/backups.ts';
import { databaseIn, databaseName, putDatabase } from '../../../support/database.ts';
import { pieceIn } from '../../../support/project.ts';
import { suite } from '../../../support/suite.ts';
import type { TestEnvironment } from '../../../support/environment.ts';

const spec = suite('backups in edge cases');
const day = 86_400_000;
const minute = 60_000;

async function withSession(given: Parameters<typeof backupsSession>, test: (session: BackupsSession) => Promise<void>) {
  const session = await backupsSession(...given);
  try {
    await test(session);
  } finally {
    await session.end();
  }
}

/** Its first dump is taken. */
async function protectedOnce(session: BackupsSession): Promise<string> {
  await session.pass(2);
  await session.run();
  await session.pass(5);
  const folder = session.archive()?.spec.serverName ?? '';
  putDump(session.environment, folder, session.time.now());
  await session.edit((environment) => endJob(environment, 'orders-backup-first', 'Complete'));
  await session.pass(5);
  assert.is(session.state(), 'Protected', JSON.stringify(session.backup()));
  return folder;
}

const refusing = (code: string, status: number | null) =>
  new CloudFailed({ code, status, message: status === null ? code : `${code}: no (HTTP ${status})` });
const retiredAt = (archive: CoreBackupArchive | undefined) => Date.parse(archive?.spec.deleteAfter ?? '') - 7 * day;
const isAbout = (at: number, wanted: number) => assert.ok(Math.abs(at - wanted) < 15_000, `${at} is not ${wanted}`);
const purgedIn = (environment: TestEnvironment) => {
  const found = archivesIn(environment)[0]?.status?.conditions?.find(({ type }) => type === 'Purged');
  return found ? `${found.status} ${found.reason}: ${found.message}` : '';
};
const cronJob = (environment: TestEnvironment) => pieceIn(environment, owned.cronJobs, 'orders-backup');

spec(
  'DB-059 BAK-012 Redis and external databases ignore the backup setting and have no state, archive or jobs',
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
      await withSession([kind], async (session) => {
        await session.pass(130);
        assert.is(session.backup(), undefined);
        assert.equal(archivesIn(session.environment), []);
        assert.is(cronJob(session.environment), undefined);
        assert.equal(session.environment.cloud.calls, [], 'no cloud is asked');
      });
    for (const engine of ['Postgres', 'MySQL', 'SQLite'] as const)
      await withSession([{ engine }], async (session) => {
        await session.pass(5);
        assert.is(session.state(), 'Starting', engine);
        assert.is(archivesIn(session.environment).length, 1);
      });
  },
);

spec('BAK-006 a shared server reports NeedsStorage because it has no project', () =>
  withSession(
    [{ engine: 'Postgres', project: undefined as never, environment: undefined as never }],
    async (session) => {
      await session.pass(130);
      assert.is(session.state(), 'NeedsStorage');
      assert.is(session.backup()?.message, 'Choose where backups are stored to protect this database');
      assert.equal(archivesIn(session.environment), []);
    },
  ),
);

const unanswered = refusing('the cloud does not answer', null);

spec('BAK-016 BAK-017 a failed plan leaves the database running and is retried after a minute', () =>
  withSession(
    [
      {},
      (environment) => {
        putConnection(environment);
        putStorage(environment);
        environment.cloud.failing = unanswered;
      },
    ],
    async (session) => {
      await session.pass(2);
      await session.run();
      await session.pass(2);
      assert.is(session.phase(), 'Ready');
      assert.is(session.backup(), undefined, 'nothing is known yet');
      const asked = session.environment.cloud.calls.length;
      session.environment.cloud.failing = null;
      await session.pass(50);
      assert.is(session.environment.cloud.calls.length, asked, 'not before a minute');
      await session.pass(15);
      assert.is(session.state(), 'Starting');
    },
  ),
);

spec('BAK-019 a deletion waits at most ten minutes for the last backup', () =>
  withSession([], async (session) => {
    await protectedOnce(session);
    await session.remove();
    assert.ok(jobIn(session.environment, 'orders-final'));
    await session.pass(590);
    assert.is(session.phase(), 'FinalBackup');
    assert.ok(pieceIn(session.environment, owned.deployments, databaseName), 'it is served until then');
    await session.pass(20);
    assert.is(session.found(), undefined);
    assert.is(jobIn(session.environment, 'orders-final'), undefined);
    assert.is(archivesIn(session.environment)[0]?.status?.restorePoints?.length, 1, 'what there was is kept');
  }),
);

spec(
  'BAK-031 BAK-034 an archive without a finalizer is gone at once when a user deletes it, and its backups stay in the bucket',
  () =>
    withSession([], async (session) => {
      const folder = await protectedOnce(session);
      const points = session.archive()?.status?.restorePoints;
      assert.is(session.archive()?.metadata.finalizers, undefined);
      const before = session.environment.cloud.stored(bucket);
      const uid = session.archive()?.metadata.uid;
      await session.edit(({ cluster }) => cluster.drop(backupArchives, folder));
      await session.pass(70);
      assert.equal(session.environment.cloud.stored(bucket), before);
      assert.ok(
        session.archive() !== undefined && session.archive()?.metadata.uid !== uid,
        'its database makes another',
      );
      assert.equal(session.archive()?.status?.restorePoints, points, 'nothing is lost');
      assert.is(session.state(), 'Protected');
      await session.remove();
      await session.edit((environment) => endJob(environment, 'orders-final', 'Complete'));
      await session.pass(10);
      assert.is(session.found(), undefined);
      const left = session.environment.cloud.stored(bucket);
      await session.edit(({ cluster }) => cluster.drop(backupArchives, folder));
      session.time.jump(30 * day);
      await session.pass(1_000);
      assert.equal(archivesIn(session.environment), []);
      assert.equal(session.environment.cloud.stored(bucket), left, 'nobody purges what no archive tells of');
    }),
);

spec('BAK-056 BAK-057 an archive shows the end of its latest backup and its first restorable time', () =>
  withSession([], async (session) => {
    const folder = await protectedOnce(session);
    const now = session.time.now();
    const [oldest, newest] = [now - 3 * day, now + minute];
    putDump(session.environment, folder, oldest);
    putDump(session.environment, folder, now - day);
    putDump(session.environment, folder, newest);
    await session.pass(320);
    const whole = (at: number) => new Date(Math.floor(at / 1_000) * 1_000).toISOString();
    assert.is(session.archive()?.status?.lastBackupTime, whole(newest));
    assert.is(session.archive()?.status?.recoveryWindowStart, whole(oldest));
    assert.is(session.backup()?.recoveryWindowStart, whole(oldest));
  }),
);

spec('BAK-056 the last restore points of a retired archive are listed when the cloud answers', () =>
  withSession([], async (session) => {
    const folder = await protectedOnce(session);
    session.environment.cloud.failing = unanswered;
    const last = putDump(session.environment, folder, session.time.now());
    await session.edit((environment) => putDatabase(environment, { backup: { enabled: false, retentionDays: 7 } }));
    for (const look of ['1', '2', '3'])
      await session.edit(({ cluster }) => {
        Effect.runSync(cluster.patch(backupArchives, { name: folder }, { metadata: { annotations: { look } } }));
      });
    session.environment.cloud.failing = null;
    await session.pass(65);
    assert.is(archivesIn(session.environment)[0]?.status?.restorePoints?.[0]?.id, last);
  }),
);

spec('BAK-075 BAK-119 an archive is retired and reports it when its database was removed without clean-up', () =>
  withSession([], async (session) => {
    await protectedOnce(session);
    const at = session.time.now();
    await session.edit(({ cluster }) => {
      Effect.runSync(cluster.patch(databases, { name: databaseName }, { metadata: { finalizers: null } }));
      cluster.drop(databases, databaseName);
    });
    await session.pass(400);
    assert.is(session.found(), undefined);
    const [archive] = archivesIn(session.environment);
    isAbout(retiredAt(archive), at);
    const move = archive && historyOf(archive).at(-1);
    assert.equal([move?.event, move?.text], ['ownerVanished', 'the database is gone']);
  }),
);

spec('BAK-118 a database in another namespace retires its archive and starts another', () =>
  withSession([], async (session) => {
    const folder = await protectedOnce(session);
    const at = session.time.now();
    await session.edit((environment) => putDatabase(environment, { environment: 'staging' }));
    await session.pass(130);
    const old = archivesIn(session.environment).find(({ metadata }) => metadata.name === folder);
    isAbout(retiredAt(old), at);
    assert.is(session.archive()?.spec.serverName, `${folder}-2`, 'a new cluster never archives into an old folder');
    assert.is(session.archive()?.spec.environment, 'staging');
  }),
);

/** A deleted database whose archive is due for the purge, which does not come through. */
async function due(session: BackupsSession, hinders: (environment: TestEnvironment) => void) {
  await protectedOnce(session);
  await session.remove();
  await session.edit((environment) => endJob(environment, 'orders-final', 'Complete'));
  await session.pass(10);
  assert.is(session.found(), undefined);
  await session.edit(hinders);
  session.time.jump(7 * day);
  await session.pass(30);
}

spec(
  'BAK-121 BAK-085 BAK-086 a purge reports a missing connection, Secret or keys and is retried when they exist',
  async () => {
    const blockers: readonly ((environment: TestEnvironment) => void)[] = [
      ({ cluster }) => cluster.drop(cloudConnections, 'aws'),
      ({ cluster }) => cluster.drop(secrets, 'aws-keys'),
      ({ cluster }) =>
        void cluster.put(secrets, { metadata: { name: 'aws-keys', namespace: 'core-system' }, data: {} }),
      (environment) => {
        const [connection] = environment.cluster.all(cloudConnections);
        if (connection)
          environment.cluster.put(cloudConnections, { ...connection, spec: { ...connection.spec, project: 'blog' } });
      },
    ];
    for (const hinders of blockers)
      await withSession([], async (session) => {
        await due(session, hinders);
        assert.is(purgedIn(session.environment), 'False ConnectionUnavailable: cloud connection "aws" is unavailable');
        await session.edit((environment) => putConnection(environment));
        await session.pass(10);
        assert.equal(archivesIn(session.environment), []);
        assert.equal(session.environment.cloud.stored(bucket), []);
      });
  },
);

spec(
  'BAK-122 BAK-084 BAK-087 a purge reports code and text of a refusal by the cloud and is retried every 15 minutes',
  async () => {
    const answers = [
      [refusing('AccessDenied', 403), 'AccessDenied: no (HTTP 403)'],
      [refusing('PermanentRedirect', 301), 'PermanentRedirect: no (HTTP 301)'],
      [refusing('OperationAborted', 409), 'OperationAborted: no (HTTP 409)'],
      [refusing('SlowDown', 503), 'SlowDown: no (HTTP 503)'],
      [refusing('TimeoutError', null), 'TimeoutError: TimeoutError'],
    ] as const;
    for (const [failing, words] of answers)
      await withSession([], async (session) => {
        const { cloud } = session.environment;
        await due(session, () => {
          cloud.failing = failing;
        });
        assert.is(purgedIn(session.environment), `False PurgeFailed: ${words}`);
        const asked = cloud.calls.length;
        await session.pass(14 * 60);
        assert.is(cloud.calls.length, asked, 'not before');
        await session.pass(90);
        assert.ok(cloud.calls.length > asked);
        cloud.failing = null;
        await session.pass(16 * 60);
        assert.equal(archivesIn(session.environment), []);
      });
  },
);

spec('BAK-076 a purge that leaves one object of a page is refused, and no object is forgotten', () =>
  withSession([], async (session) => {
    const { cloud } = session.environment;
    const { remove } = cloud.model;
    let keeps = true;
    Object.assign(cloud.model, {
      remove: (...given: Parameters<typeof remove>) => {
        if (keeps && given[1].key.endsWith('kept'))
          throw Object.assign(new Error('not this one'), { code: 'AccessDenied' });
        return remove(...given);
      },
    });
    await due(session, (environment) => {
      const [archive] = archivesIn(environment);
      cloud.put(bucket, `shop/${archive?.spec.serverName}/kept`, 'x');
    });
    assert.is(purgedIn(session.environment), 'False PurgeFailed: AccessDenied: not this one');
    assert.is(cloud.stored(bucket).length, 1, 'the rest of the page is gone');
    keeps = false;
    await session.pass(16 * 60);
    assert.equal([archivesIn(session.environment), cloud.stored(bucket)], [[], []]);
  }),
);

spec('two successive databases of one name have separate folders, restore points and deletion times', () =>
  withSession([], async (session) => {
    const first = await protectedOnce(session);
    await session.remove();
    await session.edit((environment) => endJob(environment, 'orders-final', 'Complete'));
    await session.pass(10);
    assert.is(databaseIn(session.environment), undefined);
    await session.edit((environment) =>
      putDatabase(environment, { deploy: { enabled: true }, backup: { enabled: true, retentionDays: 7 } }),
    );
    const second = await protectedOnce(session);
    assert.is.not(second, first);
    const counted = Object.fromEntries(
      archivesIn(session.environment).map(({ metadata, status }) => [metadata.name, status?.restorePoints?.length]),
    );
    assert.equal(counted, { [first]: 1, [second]: 1 });
    session.time.jump(7 * day + minute);
    await session.pass(60);
    assert.equal(
      archivesIn(session.environment).map(({ metadata }) => metadata.name),
      [second],
    );
    assert.ok(session.environment.cloud.stored(bucket).every((key) => key.startsWith(`shop/${second}/`)));
    await session.remove();
    assert.is(session.phase(), 'FinalBackup', 'it takes a last one of its own');
  }),
);

spec(
  'the last backup is waited for when its key is rotated or its connection is gone, and stored points are kept',
  () =>
    withSession([], async (session) => {
      const folder = await protectedOnce(session);
      await session.remove();
      await session.edit(({ cluster, cloud }) => {
        for (const { id, user } of cloud.model.state.keys.values())
          if (user !== null) cloud.model.state.keys.delete(id);
        cluster.drop(cloudConnections, 'aws');
        endJob(session.environment, 'orders-final', 'Failed');
      });
      await session.pass(620);
      assert.is(session.found(), undefined);
      assert.is(archivesIn(session.environment)[0]?.metadata.name, folder);
      assert.is(archivesIn(session.environment)[0]?.status?.restorePoints?.length, 1);
      assert.is(session.environment.cloud.stored(bucket).length, 1);
    }),
);

spec.run();

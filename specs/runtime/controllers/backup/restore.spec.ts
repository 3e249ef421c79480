import { gzipSync } from 'node:zlib';
import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { coreBackupArchive, type CoreBackupArchive } from '../../../../crds/coreBackupArchive.ts';
import type { DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import { backupArchives } from '../../../../runtime/services/cluster/kinds.ts';
import {
  backupJobs,
  postgresBackups,
  postgresClusters,
  scheduledBackups,
} from '../../../../runtime/owned/addonKinds.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import {
  archivesIn,
  bucket,
  endJob,
  jobIn,
  type BackupsSession,
  backupsSession,
  putConnection,
  putStorage,
} from '../../../support/backups.ts';
import { ended, other, segmentOf } from '../../../support/changeLog.ts';
import { kubelet } from '../../../support/database.ts';
import { putDefinition, serverPod, serverMessage } from '../../../support/engines.ts';
import { accountOf } from '../../../support/memory/cloud.ts';
import { inSystem, pieceIn } from '../../../support/project.ts';
import { suite } from '../../../support/suite.ts';
import type { TestEnvironment } from '../../../support/environment.ts';

const spec = suite('a database restored from a backup');
const oldUid = '0123456789';
const point = { id: '20261231T020000Z', time: '2026-12-31T02:00:00.000Z' };

/** The archive of a database that is gone, with one restore point. */
function putArchive(environment: TestEnvironment, of: Partial<CoreBackupArchive['spec']> = {}, points = [point]): void {
  environment.cluster.put(backupArchives, {
    ...typeMeta(coreBackupArchive),
    metadata: inSystem('old-01234567'),
    spec: {
      project: 'shop',
      environment: 'production',
      database: 'old',
      databaseUID: oldUid,
      serverName: 'old-01234567',
      storage: { connectionRef: { name: 'aws' }, bucket, region: 'eu-west-1' },
      retentionDays: 7,
      source: { engine: 'SQLite', storageSize: '1Gi' },
      deleteAfter: '2027-01-05T00:00:00.000Z',
      ...of,
    },
    status: {
      restorePoints: points,
      ...(points.length > 0 ? { recoveryWindowStart: point.time, recoveryWindowEnd: '2026-12-31T23:00:00.000Z' } : {}),
    },
  });
}

const restored: Partial<DatabaseSpec> = {
  restoreFrom: { archive: 'old-01234567' },
  backup: { enabled: true, retentionDays: 7 },
};
const prepared =
  (...archive: [Partial<CoreBackupArchive['spec']>?, (typeof point)[]?]) =>
  (environment: TestEnvironment) => {
    putConnection(environment);
    putStorage(environment);
    putArchive(environment, ...archive);
  };

async function withSession(given: Parameters<typeof backupsSession>, test: (session: BackupsSession) => Promise<void>) {
  const session = await backupsSession(...given);
  try {
    await test(session);
  } finally {
    await session.end();
  }
}

interface Loading {
  readonly spec: {
    readonly template: { readonly spec: { readonly initContainers: readonly { readonly env: readonly object[] }[] } };
  };
}

spec(
  'BAK-022 BAK-024 BAK-025 DB-196 DB-221 DB-105 DB-063 DB-130 a SQLite database is Ready when a Job has loaded the snapshot once',
  () =>
    withSession([restored, prepared()], async (session) => {
      // The Secret of the bucket is brought about for the new database's own backups.
      await session.pass(90);
      await session.run();
      assert.is(session.message(), 'Restoring database from backup');
      assert.is(pieceIn(session.environment, owned.secrets, 'orders-connection'), undefined);
      const job = jobIn(session.environment, 'orders-restore') as unknown as Loading | undefined;
      const [download] = job?.spec.template.spec.initContainers ?? [];
      assert.ok(
        download?.env.some((one) => JSON.stringify(one) === JSON.stringify({ name: 'RESTORE_POINT', value: point.id })),
      );
      assert.ok(pieceIn(session.environment, owned.secrets, 'orders-restore-credentials'));
      await session.edit((environment) => endJob(environment, 'orders-restore', 'Complete'));
      await session.pass(5);
      assert.is(session.phase(), 'Ready');
      assert.type(session.object().status?.restoredAt, 'string');
      assert.is(jobIn(session.environment, 'orders-restore'), undefined);
      assert.is(pieceIn(session.environment, owned.secrets, 'orders-restore-credentials'), undefined);
      await session.pass(120);
      assert.is(jobIn(session.environment, 'orders-restore'), undefined, 'it is not loaded again');
      assert.is(archivesIn(session.environment).length, 2, 'the original keeps its archive');
    }),
);

spec('BAK-104 a failed restore Job is reported and counted, and Retry creates another one', () =>
  withSession([restored, prepared()], async (session) => {
    await session.pass(90);
    await session.run();
    await session.edit((environment) => endJob(environment, 'orders-restore', 'Failed'));
    await session.pass(5);
    const words = 'The restore could not be completed. Check that the backups are still available, then restore again';
    assert.is(session.message(), words);
    await session.pass(300);
    assert.is(session.phase(), 'ProvisionFailed');
    const failed = jobIn(session.environment, 'orders-restore')?.metadata.uid;
    assert.is(await session.ask('provisionRetry', 'retry'), null);
    await session.edit((environment) => kubelet(environment, 'runs'));
    await session.pass(60);
    const again = jobIn(session.environment, 'orders-restore');
    assert.ok(again && again.metadata.uid !== failed, 'another Job');
    assert.is(session.object().status?.reconcileRetry?.reconcileFailures ?? 0, 0, 'the Job before counts no more');
    await session.edit((environment) => endJob(environment, 'orders-restore', 'Complete'));
    await session.pass(40);
    assert.is(session.phase(), 'Ready');
  }),
);

spec('BAK-091 BAK-093 BAK-097 a restore by kubectl reports its refusal before anything is created', async () => {
  const nothingMade = (session: BackupsSession) =>
    assert.is(pieceIn(session.environment, owned.deployments, 'orders'), undefined);
  await withSession([{ ...restored, restoreFrom: { archive: 'none' } }, prepared()], async (session) => {
    await session.pass(5);
    assert.is(session.message(), 'These backups are no longer available');
    assert.is(session.phase(), 'ProvisionFailed', 'it ends at once');
    nothingMade(session);
  });
  await withSession(
    [{ ...restored, engine: 'Redis', backup: { enabled: false, retentionDays: 7 } }, prepared()],
    async (session) => {
      await session.pass(5);
      assert.is(session.message(), 'A restored database must use the same engine as the original (SQLite)');
    },
  );
  await withSession([restored, prepared({}, [])], async (session) => {
    await session.pass(300);
    assert.is(session.message(), 'These backups have no restore points yet');
    assert.is(session.phase(), 'Provisioning', 'it waits');
    nothingMade(session);
    await session.edit((environment) => putArchive(environment));
    await session.pass(60);
    assert.ok(pieceIn(session.environment, owned.deployments, 'orders'));
  });
});

const postgresArchive = {
  source: { engine: 'Postgres', version: '16', databaseName: 'orders', storageSize: '10Gi' },
} as const;
interface Server {
  readonly spec: {
    readonly backup?: { readonly barmanObjectStore: { readonly serverName: string }; readonly retentionPolicy: string };
    readonly bootstrap: { readonly recovery?: { readonly recoveryTarget?: object }; readonly initdb?: object };
    readonly externalClusters?: readonly object[];
  };
}
const serverIn = (environment: TestEnvironment) =>
  pieceIn(environment, postgresClusters, 'orders') as unknown as Server | undefined;

/** What the original left in the bucket: a base backup, and after it a segment of its change log. */
function archivedLog(
  environment: TestEnvironment,
  segment: Uint8Array | string | null,
  stop = '1/2000100',
  endedAt = '2026-12-31 02:00:00+00:00',
): void {
  prepared(postgresArchive)(environment);
  putDefinition(environment);
  Effect.runSync(environment.cloud.cloud.makeBucket(accountOf({ region: 'eu-west-1' }), bucket));
  environment.cloud.put(
    bucket,
    `shop/old-01234567/base/${point.id}/backup.info`,
    `end_time=${endedAt}\nend_xlog=${stop}\n`,
  );
  const wals = 'shop/old-01234567/wals/0000000100000000';
  environment.cloud.put(bucket, `${wals}/000000010000000000000002.00000028.backup.gz`, 'of a base backup');
  if (segment !== null) environment.cloud.put(bucket, `${wals}/000000010000000000000003.gz`, segment);
}

spec(
  'BAK-008 BAK-023 Postgres is recovered to a moment, or to the last archived transaction when none is later',
  async () => {
    const asked = {
      engine: 'Postgres',
      restoreFrom: { archive: 'old-01234567', time: '2026-12-31T12:00:00Z' },
    } as const;
    const moment = Date.parse(asked.restoreFrom.time);
    const byTime = { targetTime: '2026-12-31 12:00:00+00' };
    const base = { backupID: point.id, targetImmediate: true };
    const last = { backupID: point.id, targetLSN: '1/3000028' };
    const segments: readonly (readonly [archived: Uint8Array | string | null, target: object, stop?: string])[] = [
      [null, base],
      [segmentOf([ended(moment + 1)]), byTime],
      [gzipSync(segmentOf([ended(moment + 1), other(10)])), byTime],
      // What a checkpoint or a base backup leaves.
      [gzipSync(segmentOf([ended(moment), other(10)])), last],
      [gzipSync(segmentOf([ended(moment), other(10)])), base, '1/3000028'],
      [gzipSync(segmentOf([other(10)])), base],
      ['compressed in another way', byTime],
    ];
    for (const [segment, target, stop] of segments)
      await withSession(
        [{ ...restored, ...asked }, (environment) => archivedLog(environment, segment, stop)],
        async (session) => {
          await session.pass(90);
          const { bootstrap, externalClusters } = serverIn(session.environment)?.spec ?? { bootstrap: {} };
          assert.ok(bootstrap.recovery, session.message());
          assert.equal(bootstrap.recovery.recoveryTarget, target);
          assert.is(externalClusters?.length, 1);
          assert.is(session.message(), 'Restoring database from backup');
        },
      );
  },
);

spec('BAK-008 Postgres is recovered without a later segment when the moment is the end of the newest base backup', () =>
  withSession(
    [
      { ...restored, engine: 'Postgres', restoreFrom: { archive: 'old-01234567', time: '2026-12-31T23:55:00Z' } },
      (environment) => {
        archivedLog(environment, null, '1/2000100', '2026-12-31 23:55:00+00:00');
        const status = { recoveryWindowEnd: '2026-12-31T23:55:00.000Z' };
        Effect.runSync(environment.cluster.patchStatus(backupArchives, { name: 'old-01234567' }, status));
      },
    ],
    async (session) => {
      await session.pass(30);
      const { bootstrap } = serverIn(session.environment)?.spec ?? {};
      assert.equal(bootstrap?.recovery?.recoveryTarget, { backupID: point.id, targetImmediate: true });
    },
  ),
);

spec('BAK-008 Postgres is recovered to a moment when its last earlier transaction is certainly archived', () =>
  withSession(
    [
      { ...restored, engine: 'Postgres', restoreFrom: { archive: 'old-01234567', time: '2026-12-31T23:55:00Z' } },
      (environment) => {
        archivedLog(environment, segmentOf([ended(Date.parse('2026-12-31T23:50:00Z'))]));
        const status = { recoveryWindowEnd: '2026-12-31T23:55:00.000Z' };
        Effect.runSync(environment.cluster.patchStatus(backupArchives, { name: 'old-01234567' }, status));
      },
    ],
    async (session) => {
      await session.pass(50);
      assert.is(serverIn(session.environment), undefined);
      assert.is(session.message(), 'The chosen moment is still being archived');
      const later = segmentOf([ended(Date.parse('2026-12-31T23:54:59Z'))], { at: 0x1_0400_0000n });
      session.environment.cloud.put(bucket, 'shop/old-01234567/wals/0000000100000000/000000010000000000000004', later);
      await session.pass(60);
      const { bootstrap } = serverIn(session.environment)?.spec ?? {};
      assert.equal(bootstrap?.recovery?.recoveryTarget, { backupID: point.id, targetLSN: '1/4000028' });
    },
  ),
);

spec(
  'BAK-007 BAK-068 BAK-108 BAK-082 BAK-110 BAK-020 Postgres archives, reports unsaved changes and takes a last Backup',
  () =>
    withSession(
      [
        { engine: 'Postgres' },
        (environment) => {
          putConnection(environment);
          putStorage(environment);
          putDefinition(environment);
        },
      ],
      async (session) => {
        await session.pass(90);
        const folder = session.archive()?.spec.serverName;
        const { backup } = serverIn(session.environment)?.spec ?? {};
        assert.is(backup?.barmanObjectStore.serverName, folder);
        assert.is(backup?.retentionPolicy, '7d');
        assert.ok(pieceIn(session.environment, scheduledBackups, 'orders'));
        const tells = (...conditions: readonly object[]) =>
          session.edit((environment) => {
            serverPod(environment, 'orders-1', 'ready');
            serverMessage(environment, {
              phase: 'Cluster in healthy state',
              readyInstances: 1,
              currentPrimary: 'orders-1',
              lastSuccessfulBackup: '2027-01-01T00:00:30Z',
              conditions,
            });
          });
        const saved = { type: 'ContinuousArchiving', status: 'True' };
        const told = (isSaved: boolean) => tells({ ...saved, status: isSaved ? 'True' : 'False' });
        session.environment.cloud.put(
          bucket,
          `shop/${folder}/base/b1/backup.info`,
          'status=DONE\nend_time=2027-01-01 00:00:30+00:00\n',
        );
        await told(true);
        await session.pass(70);
        assert.is(session.state(), 'Protected', JSON.stringify(session.backup()));
        assert.equal(
          session.archive()?.status?.restorePoints?.map(({ id }) => id),
          ['b1'],
        );
        assert.is(session.phase(), 'Ready');
        await told(false);
        await session.pass(5);
        assert.is(session.backup()?.message, 'Recent changes are not being saved to backup storage');
        await told(true);
        await session.pass(5);
        assert.is(session.state(), 'Protected');
        const notSucceeded = { type: 'LastBackupSucceeded', status: 'False' };
        await tells(saved, { ...notSucceeded, reason: 'BackupStarted' });
        await session.pass(5);
        assert.is(session.state(), 'Protected', 'a backup that runs has not failed');
        await tells(saved, { ...notSucceeded, reason: 'LastBackupFailed' });
        await session.pass(5);
        assert.is(session.state(), 'AtRisk');
        await told(true);
        await session.remove();
        assert.ok(pieceIn(session.environment, postgresBackups, 'orders-final'));
        assert.ok(serverIn(session.environment));
        await session.pass(601);
        assert.is(session.found(), undefined, 'it is waited for up to ten minutes');
        assert.is(serverIn(session.environment), undefined);
        assert.ok(archivesIn(session.environment).every(({ spec: of }) => (of.deleteAfter ?? '') !== ''));
        assert.equal(session.environment.cluster.all(backupJobs), []);
      },
    ),
);

spec.run();

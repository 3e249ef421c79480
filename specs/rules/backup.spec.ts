import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { archiving, finalBackup, recovery, scheduledBackup } from '../../rules/backup/barman.ts';
import { folderPrefix, isInFolder, isOwnFolder } from '../../rules/backup/folder.ts';
import { backupCronJob, type BackupPlan, finalBackupJob, firstBackupJob, restoreJob } from '../../rules/backup/jobs.ts';
import { serverNameOf, unplannedOf } from '../../rules/backup/names.ts';
import { placeOf } from '../../rules/backup/place.ts';
import {
  baseEnd,
  baseIn,
  dumpIn,
  expired,
  pointId,
  pointsStatus,
  type RestorePoint,
} from '../../rules/backup/points.ts';
import { dailySchedule, backupTime, dailyScheduleWithSeconds, lastDue } from '../../rules/backup/schedule.ts';
import { scriptVariables } from '../../rules/backup/scripts.ts';
import { annotation } from '../../crds/names.ts';
import { bucketPolicy } from '../../rules/backupStorage/place.ts';
import { restoreRefusal } from '../../rules/restore/refusals.ts';
import { newArchive } from '../../rules/backupArchive/archive.ts';
import { archivePurged } from '../../rules/backupArchive/purged.ts';
import { databaseImages } from '../../rules/database/images.ts';
import { databaseOf } from '../runtime/controllers/database/databaseOf.ts';
import { suite } from '../support/suite.ts';

const spec = suite('rules of backups');
const hour = 3_600_000;
const day = 24 * hour;
const noon = Date.UTC(2026, 0, 10, 12);

spec('BAK-069 BAK-062 an object is a restore point only when its name is that of a dump', () => {
  assert.is(pointId(Date.UTC(2006, 0, 2, 15, 4, 5)), '20060102T150405Z');
  assert.equal(dumpIn('dumps/20060102T150405Z.sql.gz'), { id: '20060102T150405Z', at: Date.UTC(2006, 0, 2, 15, 4, 5) });
  for (const name of [
    'dumps/20060230T150405Z.sql.gz',
    'dumps/20060102T256161Z.sql.gz',
    'dumps/20060102T150405Z.sql',
    'dumps/x/20060102T150405Z.sql.gz',
    '20060102T150405Z.sql.gz',
    'dumps/latest.sql.gz',
    '',
  ])
    assert.is(dumpIn(name), null, name);
});

spec('BAK-068 a base backup is a restore point from the end that its description names', () => {
  assert.is(baseIn('base/20260101T020000/backup.info'), '20260101T020000');
  assert.is(baseIn('base/20260101T020000/data.tar.gz'), null);
  assert.is(baseIn('wals/0000000100000000/000000010000000000000001.gz'), null);
  assert.is(baseEnd('status=DONE\nend_time=2026-01-01 02:00:09.123456+00:00\n'), Date.UTC(2026, 0, 1, 2, 0, 9, 123));
  assert.is(baseEnd('end_time=2026-01-01 03:00:09+01:00\nstatus=DONE\n'), Date.UTC(2026, 0, 1, 2, 0, 9));
  assert.is(baseEnd('status=STARTED\nend_time=2026-01-01 02:00:09+00:00\n'), null);
  assert.is(baseEnd('status=DONE\nend_time=None\n'), null);
});

const pointsAt = (...times: readonly number[]): readonly RestorePoint[] => times.map((at) => ({ id: pointId(at), at }));

spec('BAK-060 BAK-061 the newest hundred points are listed, newest first, and all count for the window', () => {
  const all = pointsAt(...Array.from({ length: 130 }, (_, at) => noon - at * day));
  const status = pointsStatus(all.toReversed(), null, noon);
  assert.is(status.restorePoints.length, 100);
  assert.is(status.restorePoints[0]?.time, new Date(noon).toISOString());
  assert.is(status.recoveryWindowStart, new Date(noon - 129 * day).toISOString());
  assert.is(status.lastBackupTime, new Date(noon).toISOString());
  assert.equal(pointsStatus([], null, noon).restorePoints, []);
  assert.is(pointsStatus([], null, noon).lastBackupTime, null);
});

spec(
  'BAK-058 BAK-059 the window of a change log ends five minutes ago while the log is saved, and otherwise stays',
  () => {
    const end = (isSaved: boolean, before: number | null) =>
      Date.parse(pointsStatus(pointsAt(noon - day), { isSaved, end: before }, noon).recoveryWindowEnd ?? '');
    assert.is(end(true, null), noon - 5 * 60_000);
    assert.is(end(true, noon - 60_000), noon - 60_000, 'a later look of another process is not taken back');
    assert.is(end(true, noon + hour), noon - 5 * 60_000, 'it is never later than now');
    assert.is(end(false, noon - hour), noon - hour);
    assert.is(end(false, null), noon - day);
    assert.is(end(false, noon - 3 * day), noon - day, 'never before the newest point');
  },
);

spec('BAK-048 a dump expires when a newer one is older than the retention, and the newest never does', () => {
  const points = pointsAt(noon, noon - 6 * day, noon - 7 * day - 1, noon - 8 * day, noon - 30 * day);
  assert.equal(
    expired(points, 7, noon).map(({ at }) => (noon - at) / day),
    [8, 30],
  );
  assert.equal(expired(pointsAt(noon - 400 * day), 1, noon), []);
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 40 }),
      fc.integer({ min: 1, max: 30 }),
      (ages, retention) => {
        const given = pointsAt(...ages.map((age) => noon - age * day));
        const gone = new Set(expired(given, retention, noon).map(({ at }) => at));
        for (const { at } of given) {
          const newerIsOld = given.some((one) => one.at > at && one.at < noon - retention * day);
          assert.is(gone.has(at), newerIsOld);
        }
      },
    ),
  );
});

spec('BAK-007 BAK-010 every database is due once a day, in the half hour from 02:00 UTC', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z][a-z0-9-]{0,49}$/), fc.integer({ min: 0, max: 4e12 }), (name, now) => {
      const [, minute] = /^(\d+) 2 \* \* \*$/.exec(dailySchedule(name)) ?? [];
      assert.ok(Number(minute) >= 0 && Number(minute) < 30);
      assert.is(dailyScheduleWithSeconds(name), `0 ${dailySchedule(name)}`);
      const due = new Date(lastDue(name, now));
      assert.is(`${due.getUTCMinutes()} ${due.getUTCHours()} * * *`, dailySchedule(name));
      assert.ok(lastDue(name, now) <= now && lastDue(name, now) > now - 86_400_000);
      assert.is(due.toISOString().slice(11, 16), backupTime(name));
    }),
  );
});

spec('BAK-041 BAK-071 the folder of a database is named by the start of its name and of its uid', () => {
  assert.is(serverNameOf('orders', '0123456789-abcd'), 'orders-01234567');
  assert.is(serverNameOf(`${'a'.repeat(39)}-b`, '0123456789'), `${'a'.repeat(39)}-01234567`);
  assert.is(serverNameOf('a'.repeat(41), '0123456789'), `${'a'.repeat(40)}-01234567`);
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]([-a-z0-9]{0,48}[a-z0-9])?$/), fc.uuid(), (name, uid) => {
      const server = serverNameOf(name, uid);
      assert.ok(server.length <= 49 && isOwnFolder('shop', server));
    }),
  );
});

/** Neighbours, of which one is the start of another, stand beside each other in many cases. */
const odd = fc.oneof(
  fc.constantFrom('a', 'a-2', 'ab', 'a.b'),
  fc.constantFrom('a', 'a-2', 'ab', '%2F', '..', '.', '', '/', 'a/b', 'a\nb', '\u0001', 'A', 'ä', 'a/', '/a', 'a b'),
  fc.string({ unit: 'binary', maxLength: 8 }),
);

spec('BAK-067 BAK-076 a purge deletes only its own folder, for any keys, projects and folders', () => {
  fc.assert(
    fc.property(fc.tuple(odd, odd), fc.tuple(odd, odd), odd, ([project, server], [otherProject, otherServer], name) => {
      const prefix = folderPrefix(project, server);
      if (!isOwnFolder(project, server)) return;
      assert.ok(isInFolder(`${prefix}${name}`, prefix));
      const isOther = otherProject !== project || otherServer !== server;
      if (isOther && isOwnFolder(otherProject, otherServer))
        assert.not.ok(isInFolder(`${folderPrefix(otherProject, otherServer)}${name}`, prefix));
    }),
    { numRuns: 5_000 },
  );
  for (const [project, server] of [
    ['shop', ''],
    ['', 'orders-1'],
    ['shop', '..'],
    ['shop', 'a/b'],
    ['..', 'a'],
    ['shop', 'a\n'],
    ['shop', '%2F'],
  ] as const)
    assert.not.ok(isOwnFolder(project, server), `${project}/${server}`);
  assert.not.ok(isInFolder('shop/orders-12/x', 'shop/orders-1'), 'without its slash a prefix takes a neighbour');
});

const database = databaseOf({ engine: 'MySQL', highAvailability: false });
const place = placeOf(
  {
    project: 'shop',
    serverName: 'orders-01234567',
    storage: { connectionRef: { name: 'aws' }, bucket: 'core-backup-1', region: 'eu-west-1' },
  },
  'https://store.example',
);
const plan: BackupPlan = {
  place,
  placement: { region: 'local', tags: ['fast'], required: ['certified'] },
  images: databaseImages,
};

interface Pods {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly nodeSelector: object;
    readonly tolerations: readonly object[];
    readonly initContainers: readonly Container[];
    readonly containers: readonly Container[];
  };
}
interface Container {
  readonly command: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
}
const podsOf = (job: object): Pods => {
  const { jobTemplate, template } = (job as { readonly spec: Record<string, never> }).spec as {
    readonly jobTemplate?: { readonly spec: { readonly template: Pods } };
    readonly template?: Pods;
  };
  return (jobTemplate?.spec.template ?? template) as Pods;
};
const everyJob = (['MySQL', 'SQLite'] as const).flatMap((engine) => {
  const of = databaseOf({ engine, highAvailability: false });
  return [
    backupCronJob(of, of.spec, plan),
    firstBackupJob(of, of.spec, plan),
    finalBackupJob(of, of.spec, plan),
    restoreJob(of, of.spec, { ...plan, restorePoint: '20260101T020000Z' }),
  ];
});

spec('BAK-009 BAK-024 backups use a CronJob, Jobs for the first and last dump, and a restore Job', () => {
  assert.equal(
    everyJob.slice(0, 4).map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`),
    [
      'CronJob shop-production/orders-backup',
      'Job shop-production/orders-backup-first',
      'Job shop-production/orders-final',
      'Job shop-production/orders-restore',
    ],
  );
  const { spec: cron } = backupCronJob(database, database.spec, plan) as { readonly spec: Record<string, unknown> };
  assert.is(cron['timeZone'], 'Etc/UTC');
  assert.is(cron['concurrencyPolicy'], 'Forbid');
  assert.is(typeof cron['startingDeadlineSeconds'], 'number');
});

spec(
  'PRJ-042 BAK-013 BAK-014 BAK-015 Jobs run in the region on nodes with the required tags, regardless of `runOn`',
  () => {
    for (const job of everyJob) {
      const { nodeSelector, tolerations } = podsOf(job).spec;
      assert.equal(nodeSelector, { 'core.platform/region': 'local', 'core.platform/tag-certified': 'true' });
      assert.equal(tolerations, [
        { key: 'core.platform/reserved', operator: 'Equal', value: 'certified', effect: 'NoSchedule' },
      ]);
    }
  },
);

spec('BAK-011 a Job reads only the listed variables, none of them secret, and has no labels of the server', () => {
  for (const job of everyJob) {
    const { metadata, spec: pod } = podsOf(job);
    assert.not.ok('core.platform/kind' in metadata.labels || 'core.platform/name' in metadata.labels);
    for (const { env, command } of [...pod.initContainers, ...pod.containers]) {
      assert.is(command.length, 3, 'the script is its only argument');
      for (const { name, value } of env) {
        assert.ok(
          scriptVariables.some((one) => one === name),
          name,
        );
        assert.is(value === undefined, ['PASSWORD', 'ACCESS_KEY_ID', 'ACCESS_SECRET_KEY'].includes(name), name);
      }
      const read = [...(command[2] ?? '').matchAll(/\$\{?([A-Z_]+)/g)].map(([, name]) => name);
      assert.equal(
        read.filter((name) => !env.some((one) => one.name === name)),
        [],
        'a script reads what its container is given',
      );
    }
  }
});

spec('a name too long for a CronJob has no plan; Postgres needs none', () => {
  assert.is(unplannedOf('a'.repeat(45), 'MySQL'), '');
  assert.is(
    unplannedOf('a'.repeat(46), 'SQLite'),
    'the name of a database with daily backups must be no more than 45 characters',
  );
  assert.is(unplannedOf('a'.repeat(50), 'Postgres'), '');
});

spec(
  'BAK-008 BAK-020 BAK-023 Postgres archives to the folder, backs up nightly and at last, and recovers from it',
  () => {
    const postgres = databaseOf({ engine: 'Postgres', version: '16' });
    const { barmanObjectStore: store, retentionPolicy } = archiving(postgres, place, 14);
    assert.is(retentionPolicy, '14d');
    assert.is(store.destinationPath, 's3://core-backup-1/shop');
    assert.is(store.serverName, 'orders-01234567');
    assert.is(store.endpointURL, 'https://store.example');
    assert.is(store.s3Credentials.accessKeyId.name, 'orders-backup-credentials');
    assert.not.ok('endpointURL' in archiving(postgres, { ...place, endpoint: '' }, 7).barmanObjectStore);
    assert.is(scheduledBackup(postgres, postgres.spec).metadata.name, 'orders');
    assert.is(finalBackup(postgres, postgres.spec).metadata.name, 'orders-final');
    const target = (of: Parameters<typeof recovery>[2]['target']) =>
      recovery(postgres, postgres.spec, { place, target: of }).bootstrap.recovery;
    assert.equal(target({ is: 'point', id: 'b1' }), {
      ...target({ is: 'newest' }),
      recoveryTarget: { backupID: 'b1', targetImmediate: true },
    });
    // Postgres knows no `Z` when it reads its settings, and the operator writes the offset of a time of RFC 3339 so.
    const times = {
      '2026-01-01T00:00:00Z': '2026-01-01 00:00:00+00',
      '2026-01-01t00:00:00.250447z': '2026-01-01 00:00:00.250447+00',
      '2026-01-01T00:00:00-00:00': '2026-01-01 00:00:00+00',
      '2026-01-01T02:00:00.5+02:00': '2026-01-01 02:00:00.5+02:00',
    };
    for (const [time, targetTime] of Object.entries(times))
      assert.equal(target({ is: 'time', time }), { ...target({ is: 'newest' }), recoveryTarget: { targetTime } });
    assert.not.ok('recoveryTarget' in target({ is: 'newest' }));
  },
);

spec('BAK-039 BAK-051 BAK-052 BAK-053 BAK-054 BAK-055 BAK-065 BAK-066 an archive names its database', () => {
  const database = databaseOf(
    { engine: 'Postgres', version: '16', storageSize: '5Gi' },
    { 'core.platform/display-name': 'Orders' },
  );
  const storage = { connectionRef: { name: 'aws' }, bucket: 'backups', region: 'eu-west-1' };
  const made = (of: typeof database) => newArchive(of, of.spec, { name: 'orders-1', storage });
  const { metadata, spec: written } = made(database);
  assert.is(written.databaseUID, database.metadata.uid);
  assert.is(written.deleteAfter, undefined);
  assert.equal(metadata.labels, {
    'core.platform/managed-by': 'core',
    'core.platform/kind': 'CoreDatabase',
    'core.platform/name': 'orders',
    'core.platform/system-namespace': 'core-system',
    'core.platform/project': 'shop',
    'core.platform/environment': 'production',
  });
  assert.equal(metadata.annotations, { 'core.platform/display-name': 'Orders' });
  const { engine, version, databaseName, storageSize, resources } = written.source ?? {};
  assert.equal([engine, version, databaseName, storageSize], ['Postgres', '16', 'orders', '5Gi']);
  assert.ok(resources?.requests);
  const { source: ofSqlite = {} } = made(databaseOf({ engine: 'SQLite' })).spec;
  assert.equal(['version' in ofSqlite, 'databaseName' in ofSqlite], [false, false]);
  const { source: ofMysql = {} } = made(databaseOf({ engine: 'MySQL' })).spec;
  assert.equal(['version' in ofMysql, 'databaseName' in ofMysql], [false, true]);
});

spec('BAK-050 an archive without an engine is restored as Postgres, to any moment', () => {
  for (const source of [undefined, {}, { engine: '' as const }]) {
    const archive = {
      spec: { project: 'shop', ...(source && { source }) },
      status: {
        restorePoints: [{ id: 'b1', time: '2026-01-01T00:00:00Z' }],
        recoveryWindowStart: '2026-01-01T00:00:00Z',
        recoveryWindowEnd: '2026-01-02T00:00:00Z',
      },
    };
    const wanted = { project: 'shop', version: '16', databaseName: 'orders', storageSize: '1Gi' };
    const refused = (engine: string) =>
      restoreRefusal({
        archive,
        wanted: { ...wanted, engine, time: '2026-01-01T12:00:00Z' },
        storage: '',
        now: noon,
      })?.why;
    assert.is(refused('Postgres'), undefined);
    assert.is(refused('MySQL'), 'A restored database must use the same engine as the original (Postgres)');
  }
});

spec('BAK-070 required tags apply to backup Jobs and not to backup storage', () => {
  const tagged = 'certified-site';
  const database = databaseOf(
    { engine: 'SQLite' },
    { [annotation.nodePlacement]: JSON.stringify({ region: 'eu', required: [tagged] }) },
  );
  const storage = { connectionRef: { name: 'aws' }, bucket: 'backups', region: 'eu-west-1' };
  const archive = newArchive(database, database.spec, { name: 'orders-1', storage });
  const postgres = archiving(database, placeOf(archive.spec, ''), 7);
  const stored = JSON.stringify([archive, postgres, bucketPolicy('backups', 'aws')]);
  assert.not.match(stored, tagged);
  const placed = { ...plan, placement: { ...plan.placement, required: [tagged] } };
  assert.match(JSON.stringify(backupCronJob(database, database.spec, placed)), tagged);
  assert.not.match(JSON.stringify(placed.place), tagged);
});

spec('BAK-086 BAK-063 BAK-064 a pending purge is False with its reason', () => {
  const refusal = { code: 'AccessDenied', text: 'no' };
  const told = (connection: 'ready' | 'unready') =>
    archivePurged
      .filter(({ when }) => when({ connectionName: 'aws', connection: connection as never, refusal }))
      .map(({ reason, status, message }) => [
        reason,
        status,
        message({ connectionName: 'aws', connection: connection as never, refusal }).text,
      ])[0];
  assert.equal(told('unready'), ['ConnectionUnavailable', 'False', 'cloud connection "aws" is unavailable']);
  assert.equal(told('ready'), ['PurgeFailed', 'False', 'AccessDenied: no']);
  assert.ok(archivePurged.every(({ status }) => status === 'False'));
});

spec.run();

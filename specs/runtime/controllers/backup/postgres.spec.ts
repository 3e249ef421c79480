import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { coreDatabase, type CoreDatabase } from '../../../../crds/coreDatabase.ts';
import { withDefaults } from '../../../../crds/defaults.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import { archiving, recovery, type RecoveryTarget } from '../../../../rules/backup/barman.ts';
import { credentialsSecret } from '../../../../rules/backup/credentials.ts';
import { folderPrefix } from '../../../../rules/backup/folder.ts';
import { backupCredentialsName } from '../../../../rules/backup/names.ts';
import type { BackupPlace } from '../../../../rules/backup/place.ts';
import type { RestorePoint } from '../../../../rules/backup/points.ts';
import { bucketPolicy } from '../../../../rules/backupStorage/place.ts';
import { basesIn, type Folder } from '../../../../runtime/controllers/backupArchive/ask/folders.ts';
import { targetAt } from '../../../../runtime/controllers/database/actions/restoreTarget.ts';
import { awsCloudWith } from '../../../../runtime/services/awsCloud.ts';
import { Cloud, type CloudFailed } from '../../../../runtime/services/cloud.ts';
import { noPostgres, postgresIn, type PostgresServer } from '../../../support/postgres.ts';
import { noRadosgw, type RealStore, startRadosgw } from '../../../support/radosgw.ts';
import { isWhole } from '../../../support/share.ts';
import { inSystem } from '../../../support/project.ts';
import { suite } from '../../../support/suite.ts';
import { unless } from '../../../support/unless.ts';
import { until } from '../../../support/until.ts';

const plain = suite('a real Postgres server, its archive and its restores');
const lacking = noRadosgw() ?? noPostgres();
const spec = unless(plain, isWhole ? lacking : '`npm run whole` runs a real server of Postgres');

const bucket = 'core-backup-1';
const place: Omit<BackupPlace, 'endpoint'> = {
  region: 'us-east-1',
  bucket,
  project: 'shop',
  serverName: 'orders-01234567',
};
const database: CoreDatabase = {
  ...typeMeta(coreDatabase),
  metadata: { ...inSystem('orders'), uid: '01234567-0000' },
  spec: withDefaults(coreDatabase.spec, { project: 'shop', environment: 'production', engine: 'Postgres' }),
};
const cloud = awsCloudWith(10_000);
const root = { accessKeyId: 'AKIAROOT', secret: 'the-root-secret' };
const folder = mkdtempSync(join(tmpdir(), 'core-postgres-'));
const servers: PostgresServer[] = [];
let store: RealStore | null = null;
plain.after(async () => {
  for (const { stop } of servers) await stop();
  await store?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const run = <A>(asked: Effect.Effect<A, CloudFailed, Cloud>): Promise<A> =>
  Effect.runPromise(Effect.provideService(asked, Cloud, cloud));

/** A bucket with a user of its own, as backup storage is made. */
async function storage(): Promise<Folder & { readonly endpoint: string }> {
  store = await startRadosgw();
  store.user('root', root);
  const account = store.account(root);
  await run(cloud.makeBucket(account, bucket));
  await run(cloud.putUser(account, { name: bucket, policy: bucketPolicy(bucket, 'aws') }));
  const key = await run(cloud.issueKey(account, bucket));
  const prefix = folderPrefix(place.project, place.serverName);
  return { account: { ...account, ...key, region: place.region }, bucket, prefix, endpoint: account.endpoint };
}

/** What the operator passes to its tools, of an object store as it stands in a Cluster. */
interface StoreOptions {
  readonly destinationPath: string;
  readonly endpointURL: string;
  readonly serverName: string;
  readonly s3Credentials: Readonly<
    Record<'accessKeyId' | 'secretAccessKey' | 'region', { readonly name: string; readonly key: string }>
  >;
}
const storeArgs = ({ endpointURL, destinationPath, serverName }: StoreOptions) => [
  '--cloud-provider',
  'aws-s3',
  '--endpoint-url',
  endpointURL,
  destinationPath,
  serverName,
];

/** The variables of the tools, taken from the Secret that the object names. */
function variablesOf({ s3Credentials }: StoreOptions, account: Folder['account']): Readonly<Record<string, string>> {
  const { metadata, data = {} } = credentialsSecret(database, database.spec, {
    name: backupCredentialsName('orders'),
    ...account,
  });
  const valueOf = (name: keyof StoreOptions['s3Credentials']) => {
    assert.is(s3Credentials[name].name, metadata.name);
    return Buffer.from(data[s3Credentials[name].key] ?? '', 'base64').toString();
  };
  return {
    AWS_ACCESS_KEY_ID: valueOf('accessKeyId'),
    AWS_SECRET_ACCESS_KEY: valueOf('secretAccessKey'),
    AWS_DEFAULT_REGION: valueOf('region'),
  };
}

/** The operator writes a time of RFC 3339 as Postgres prints it but for `Z`, and any other as it stands. */
const asWritten = (time: string) => (/^[-0-9]+T/.test(time) ? new Date(time).toISOString().replace('T', ' ') : time);

/** The settings of a recovery, as the operator reads them out of a Cluster; it begins from the last base before a moment. */
function recoveryOf(target: RecoveryTarget, given: BackupPlace, points: readonly RestorePoint[]) {
  const { bootstrap, externalClusters } = recovery(database, database.spec, { place: given, target });
  const { recoveryTarget: wanted = {} } = bootstrap.recovery as {
    readonly recoveryTarget?: {
      readonly backupID?: string;
      readonly targetImmediate?: boolean;
      readonly targetTime?: string;
      readonly targetLSN?: string;
    };
  };
  assert.is(externalClusters[0]?.name, bootstrap.recovery.source);
  const { backupID, targetImmediate, targetTime, targetLSN } = wanted;
  const before = points.filter(({ at }) => targetTime === undefined || at <= Date.parse(targetTime));
  const base = backupID ?? before.toSorted((a, b) => b.at - a.at)[0]?.id ?? '';
  return {
    base,
    settings: {
      recovery_target_action: 'promote',
      ...(targetImmediate === true ? { recovery_target: 'immediate' } : {}),
      ...(targetLSN === undefined ? {} : { recovery_target_lsn: targetLSN }),
      ...(targetTime === undefined ? {} : { recovery_target_time: asWritten(targetTime) }),
    },
  };
}

spec(
  'BAK-007 BAK-008 BAK-023 BAK-068 Postgres: base backups are restore points, and a moment, the newest state and a point are restored',
  async () => {
    const { endpoint, ...archive } = await storage();
    const given = { ...place, endpoint };
    const { barmanObjectStore } = archiving(database, given, 7);
    const objectStore = barmanObjectStore as typeof barmanObjectStore & StoreOptions;
    const postgres = postgresIn(folder, variablesOf(objectStore, archive.account));
    const args = storeArgs(objectStore);
    await postgres.init('first');
    const original = await postgres.start('first', {
      archive_mode: 'on',
      // Its transactions would follow the last one of the test.
      autovacuum: 'off',
      archive_command: `barman-cloud-wal-archive --${objectStore.wal.compression} ${args.join(' ')} %p`,
    });
    servers.push(original);
    const moment = () =>
      original.ask(`select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`);
    const say = (text: string) => original.ask(`insert into said(text) values ('${text}')`);
    /** Ends a segment of the change log, and waits until it is archived. */
    const archived = async () => {
      await original.ask('checkpoint');
      const segment = await original.ask(`select pg_walfile_name(pg_switch_wal())`);
      await until(() => original.isArchived(segment), `${segment} is archived`);
    };
    const backUp = () =>
      postgres.run(
        'barman-cloud-backup',
        '--gzip',
        '-h',
        original.socket,
        '-U',
        'postgres',
        '--immediate-checkpoint',
        ...args,
      );
    const rowsOf = ({ ask }: PostgresServer) => ask(`select string_agg(text, ',' order by id) from said`);

    await original.ask('create table said(id serial primary key, text text)');
    await say('before');
    assert.equal(await run(basesIn(archive, new Map())), [], 'a change log alone is no point');
    await backUp();
    await archived();
    const [point, ...others] = await run(basesIn(archive, new Map()));
    assert.ok(point && Math.abs(point.at - Date.now()) < 60_000, JSON.stringify(point));
    assert.equal(others, []);

    await say('one 😀');
    const between = await moment();
    await say('two');
    const afterLast = await moment();
    const targetOf = async (time: string): Promise<RecoveryTarget> => {
      const target = await run(targetAt(archive, time, Date.now() + 3_600_000));
      assert.ok(target);
      return target;
    };
    assert.equal(await targetOf(between), { is: 'point', id: point.id }, 'nothing newer is archived');
    await archived();
    assert.equal(await targetOf(between), { is: 'time', time: between });
    const upToLast = await targetOf(afterLast);
    assert.is(upToLast.is, 'position', 'no later transaction is archived');
    // What follows the last commit is archived too, and holds no transaction: a checkpoint, and another base backup.
    await archived();
    await backUp();
    await archived();
    assert.equal(await targetOf(afterLast), upToLast, 'what ended no transaction changes nothing');
    const points = await run(basesIn(archive, new Map()));
    assert.is(points.length, 2);
    const newestId = points.toSorted((a, b) => b.at - a.at)[0]?.id;
    const now = await moment();
    assert.equal(await targetOf(now), { is: 'point', id: newestId }, 'none ended since the newest base backup');
    // The original goes on while its backups are restored.
    await say('three');
    await archived();

    const restored = async (name: string, target: RecoveryTarget) => {
      const { base, settings } = recoveryOf(target, given, points);
      const data = postgres.own(join(folder, name));
      await postgres.run('barman-cloud-restore', ...args, base, data);
      const from = { restore_command: `barman-cloud-wal-restore ${args.join(' ')} %f %p` };
      const server = await postgres.start(name, { archive_mode: 'off', ...from, ...settings }, true);
      servers.push(server);
      return rowsOf(server);
    };
    assert.is(await restored('moment', { is: 'time', time: between }), 'before,one 😀');
    assert.is(await restored('point', { is: 'point', id: point.id }), 'before');
    assert.is(await restored('newest', { is: 'newest' }), 'before,one 😀,two,three');
    assert.is(await restored('last', upToLast), 'before,one 😀,two', 'what was archived meanwhile is not restored');
    assert.is(await restored('rest', { is: 'point', id: newestId ?? '' }), 'before,one 😀,two');
    const vain = await restored('vain', { is: 'time', time: '2999-01-01T00:00:00Z' }).catch(String);
    assert.match(vain, /recovery ended before configured recovery target was reached/, 'why it is not asked for');
    assert.is(await rowsOf(original), 'before,one 😀,two,three', 'the original goes on');
  },
);

plain.run();

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import { folderPrefix } from '../../../../rules/backup/folder.ts';
import { pointId } from '../../../../rules/backup/points.ts';
import {
  convertScript,
  downloadScript,
  dumpScript,
  exportScript,
  loadScript,
  uploadScript,
} from '../../../../rules/backup/scripts.ts';
import { bucketPolicy } from '../../../../rules/backupStorage/place.ts';
import { dumpsIn, type Folder } from '../../../../runtime/controllers/backupArchive/ask/folders.ts';
import { awsCloudWith } from '../../../../runtime/services/awsCloud.ts';
import { Cloud, type CloudFailed } from '../../../../runtime/services/cloud.ts';
import {
  type Env,
  mysqlTools,
  run,
  secrets,
  sqlite,
  sqliteTools,
  startMysql,
  startSqlite,
  within,
} from '../../../support/backupScripts.ts';
import { noRadosgw, type RealStore, startRadosgw } from '../../../support/radosgw.ts';
import { isWhole } from '../../../support/share.ts';
import { suite } from '../../../support/suite.ts';
import { unless } from '../../../support/unless.ts';

const plain = suite('dumps of MySQL and SQLite in a real store');
const lacking = noRadosgw() ?? mysqlTools ?? sqliteTools;
const spec = unless(plain, isWhole ? lacking : '`npm run whole` runs a real store');

/** How large the rows of MySQL are, in MB; a dump of them is twice as long before it is compressed. */
const megabytes = Number(process.env['CORE_SPEC_DUMP_MB'] ?? 24);
const bucket = 'core-backup-1';
const serverName = 'orders-01234567';
const root = { accessKeyId: 'AKIAROOT', secret: 'the-root-secret' };
const cloud = awsCloudWith(10_000);
const asked = <A>(effect: Effect.Effect<A, CloudFailed, Cloud>): Promise<A> =>
  Effect.runPromise(Effect.provideService(effect, Cloud, cloud));

let store: RealStore | null = null;
let folder: Folder;
plain.before(async () => {
  if (!isWhole || lacking !== null) return;
  store = await startRadosgw();
  store.user('root', root);
  const account = store.account(root);
  await asked(cloud.makeBucket(account, bucket));
  await asked(cloud.putUser(account, { name: bucket, policy: bucketPolicy(bucket, 'aws') }));
  const key = await asked(cloud.issueKey(account, bucket));
  folder = {
    account: { ...account, ...key, region: 'us-east-1' },
    bucket,
    prefix: folderPrefix('shop', serverName),
  };
});
plain.after(() => store?.stop());

const storeEnv = (secret = folder.account.secretAccessKey): Env => ({
  ENDPOINT: folder.account.endpoint,
  REGION: folder.account.region,
  BUCKET: bucket,
  FOLDER: `shop/${serverName}`,
  ACCESS_KEY_ID: folder.account.accessKeyId,
  ACCESS_SECRET_KEY: secret,
});
const points = async () => (await asked(dumpsIn(folder))).map(({ id }) => id).toSorted();
const isDone = async (script: string, dir: string, env: Env) => {
  const { code, says } = await run(script, dir, env);
  assert.is(code, 0, says);
};
/** The point that was added since. */
async function added(before: readonly string[]): Promise<string> {
  const [id, ...others] = (await points()).filter((one) => !before.includes(one));
  assert.ok(id !== undefined && others.length === 0);
  return id;
}
/** The moment of a dump names it, so that two need two seconds. */
const nextSecond = async () => {
  const now = pointId(Date.now());
  while (pointId(Date.now()) === now) await new Promise((resolve) => setTimeout(resolve, 50));
};

spec('BAK-011 BAK-024 BAK-069 SQLite: a stored dump is a restore point and restores the same rows', () =>
  within(async (dir) => {
    const [file, restored] = [join(dir, 'original.db'), join(dir, 'restored.db')];
    sqlite(
      file,
      `create table things(text, photo blob);
       insert into things values ('a ''quoted'' 😀 COMMIT;', x'00FF0a'), (null, randomblob(3000000));`,
    );
    const rows = (of: string) =>
      sqlite(of, 'select count(*), group_concat(text), group_concat(hex(photo)) from things');
    const [server, other] = [await startSqlite(file), await startSqlite(restored)];
    try {
      const [from, to] = [server, other].map(({ port }) => ({ SERVER_HOST: '127.0.0.1', SERVER_PORT: String(port) }));
      const before = await points();
      await isDone(dumpScript('SQLite'), dir, from ?? {});
      await isDone(exportScript, dir, {});
      await isDone(uploadScript, dir, storeEnv());
      const RESTORE_POINT = await added(before);
      const into = join(dir, 'load');
      await isDone(downloadScript, into, { ...storeEnv(), RESTORE_POINT });
      await isDone(convertScript, into, {});
      await isDone(loadScript('SQLite'), into, to ?? {});
      assert.is(rows(restored), rows(file));
    } finally {
      for (const one of [server, other]) await one.stop();
    }
  }),
);

spec(
  'BAK-011 BAK-024 BAK-025 MySQL: a stored dump restores the same rows, and a refused or killed one leaves no restore point',
  () =>
    within(async (dir) => {
      const server = await startMysql(dir);
      try {
        server.ask(`create database shop character set utf8mb4; create database again character set utf8mb4;`);
        server.ask(`create user core@'%' identified by '${secrets.PASSWORD.replaceAll(/["'\\]/g, String.raw`\$&`)}';
          grant all on *.* to core@'%' with grant option;`);
        server.ask(
          `create table things(id int auto_increment primary key, text varchar(80), photo longblob) charset utf8mb4;
           insert into things(text, photo) values ('a \\'quoted\\' 😀', x'00FF0A27'), (null, random_bytes(1000));
           create procedure p() select 1; create function f() returns int deterministic return 7;`,
          'shop',
        );
        // Half of it is random, so that it is stored in several parts.
        const some = `concat(${Array.from({ length: 512 }, () => 'random_bytes(1024)').join(', ')}, repeat(x'27', 524288))`;
        for (let row = 0; row < megabytes; row++) server.ask(`insert into things(photo) values (${some});`, 'shop');
        const tells = (of: string) =>
          server.ask(
            `set names utf8mb4; select id, text, length(photo), md5(photo) from things; select f();
             select routine_name from information_schema.routines where routine_schema = '${of}' order by 1;`,
            of,
          );
        const env = (DATABASE: string, PASSWORD: string = secrets.PASSWORD): Env => ({
          SERVER_HOST: '127.0.0.1',
          SERVER_PORT: String(server.port),
          USERNAME: 'core',
          PASSWORD,
          DATABASE,
        });
        const before = await points();
        const dump = join(dir, 'dump', 'dump.sql.gz');
        const isGrowing = () => existsSync(dump) && statSync(dump).size > 1_000_000;

        assert.is.not((await run(dumpScript('MySQL'), join(dir, 'dump'), env('shop', 'wrong'))).code, 0);
        await run(dumpScript('MySQL'), join(dir, 'dump'), env('shop'), isGrowing);
        assert.not.ok(existsSync(join(dir, 'dump', 'dump.ended')));
        assert.is.not((await run(uploadScript, join(dir, 'dump'), storeEnv())).code, 0, 'half a dump is not stored');

        await isDone(dumpScript('MySQL'), join(dir, 'dump'), env('shop'));
        assert.is.not((await run(uploadScript, join(dir, 'dump'), storeEnv('another'))).code, 0);
        const listing = { prefix: folder.prefix, from: null };
        const hasBegun = async () => (await asked(cloud.uploads(folder.account, bucket, listing))).items.length > 0;
        const slowly = { ...storeEnv(), RCLONE_S3_UPLOAD_CUTOFF: '5M', RCLONE_BWLIMIT: '2M' };
        await run(uploadScript, join(dir, 'dump'), slowly, hasBegun);
        assert.ok(await hasBegun(), 'its parts are left for the purge');
        assert.equal(await points(), before);

        await nextSecond();
        await isDone(uploadScript, join(dir, 'dump'), storeEnv());
        const RESTORE_POINT = await added(before);
        const into = join(dir, 'load');
        await isDone(downloadScript, into, { ...storeEnv(), RESTORE_POINT });
        await isDone(loadScript('MySQL'), into, env('again'));
        assert.is(tells('again'), tells('shop'));
      } finally {
        await server.stop();
      }
    }),
);

plain.run();

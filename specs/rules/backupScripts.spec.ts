import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { backupCronJob, finalBackupJob, firstBackupJob, restoreJob } from '../../rules/backup/jobs.ts';
import { dumpIn } from '../../rules/backup/points.ts';
import {
  convertScript,
  downloadScript,
  dumpScript,
  exportScript,
  loadScript,
  uploadScript,
} from '../../rules/backup/scripts.ts';
import { databaseImages } from '../../rules/database/images.ts';
import { databaseOf } from '../runtime/controllers/database/databaseOf.ts';
import {
  type Env,
  listening,
  mysqlTools,
  run,
  secrets,
  sqlite,
  sqliteTools,
  startMysql,
  startSqlite,
  within,
} from '../support/backupScripts.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';

const plain = suite('backup scripts with real programs');
const ofSqlite = unless(plain, sqliteTools);
const ofMysql = unless(plain, mysqlTools);

interface Template {
  readonly spec: Readonly<Record<'initContainers' | 'containers', readonly { readonly command: readonly string[] }[]>>;
}
interface JobSpec {
  readonly template: Template;
  readonly jobTemplate?: { readonly spec: { readonly template: Template } };
}

/** A store that takes whole objects, and what it holds. */
async function startStore() {
  const objects = new Map<string, Buffer>();
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const key = decodeURIComponent(new URL(request.url ?? '/', 'http://store').pathname.slice(1));
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      seen.push(`${request.method} ${key} ${request.headers.authorization ?? ''}`);
      if (request.method === 'PUT') objects.set(key, Buffer.concat(parts));
      const found = objects.get(key);
      const headers = { 'last-modified': new Date(0).toUTCString(), etag: '"1"' };
      if (request.method === 'PUT') response.writeHead(200, headers).end();
      else if (found === undefined) response.writeHead(404).end();
      else
        response
          .writeHead(200, { ...headers, 'content-length': found.length })
          .end(request.method === 'GET' ? found : undefined);
    });
  });
  return { objects, seen, ...(await listening(server)) };
}

const storeEnv = (port: number): Env => ({
  ENDPOINT: `http://127.0.0.1:${port}`,
  REGION: 'eu-west-1',
  BUCKET: 'core-backup-1',
  FOLDER: 'shop/orders-01234567',
  ACCESS_KEY_ID: secrets.ACCESS_KEY_ID,
  ACCESS_SECRET_KEY: secrets.ACCESS_SECRET_KEY,
});

/** The only dump in a store, by the id of its restore point. */
function pointIn(objects: ReadonlyMap<string, Buffer>): string {
  const [key = '', ...others] = objects.keys();
  assert.equal(others, []);
  const point = dumpIn(key.replace('core-backup-1/shop/orders-01234567/', ''));
  assert.ok(point && Math.abs(Date.now() - point.at) < 60_000, key);
  return point.id;
}

/** What a database holds of ordinary rows, a full-text index, an index of areas and its header. */
const tells = `select count(*), group_concat(text), sum(length(photo)) from things; select hex(photo) from things where length(photo) < 9000;
  select count(*) from words('lines'); select id from areas where x0 < 1 and y1 > 1;
  pragma user_version; pragma application_id; pragma integrity_check`;

ofSqlite('BAK-011 BAK-069 BAK-024 SQLite: a stored dump restores the same rows, also when it is loaded twice', () =>
  within(async (folder) => {
    const file = join(folder, 'original.db');
    sqlite(
      file,
      `create virtual table words using fts5(text); create virtual table areas using rtree(id, x0, x1, y0, y1);
       create table things(id integer primary key, text, photo blob);
       create trigger t after insert on things begin update things set text = text || '!' where id = new.id; insert into words values (new.text); end;
       insert into things(text, photo) values ('a ''quoted'' 😀 COMMIT;', x'00FF0a'), (null, zeroblob(5000)), ('two
lines', x'27'), ('large', randomblob(4000000));
       insert into areas values (1, 0, 1, 0, 2); pragma user_version = 7; pragma application_id = 9;`,
    );
    const rows = sqlite(file, tells);
    const [store, server, other] = [
      await startStore(),
      await startSqlite(file),
      await startSqlite(join(folder, 'restored.db')),
    ];
    try {
      const dir = join(folder, 'dump');
      const ended = await run(dumpScript('SQLite'), dir, {
        SERVER_HOST: '127.0.0.1',
        SERVER_PORT: String(server.port),
      });
      assert.is(ended.code, 0, ended.says);
      const exported = await run(exportScript, dir, {});
      assert.is(exported.code, 0, exported.says);
      assert.equal(readdirSync(dir).toSorted(), ['dump.sql.gz', 'point']);
      const stored = await run(uploadScript, dir, storeEnv(store.port));
      assert.is(stored.code, 0, stored.says);
      const RESTORE_POINT = pointIn(store.objects);
      assert.ok(
        store.seen.every((one) => one.includes('AKIASCRIPT/')),
        'signed with the key of the bucket',
      );
      const into = join(folder, 'load');
      const to = { SERVER_HOST: '127.0.0.1', SERVER_PORT: String(other.port) };
      for (const [script, env] of [
        [downloadScript, { ...storeEnv(store.port), RESTORE_POINT }],
        [convertScript, {}],
        [loadScript('SQLite'), to],
        [loadScript('SQLite'), to],
      ] as const) {
        const { code, says } = await run(script, into, env);
        assert.is(code, 0, says);
      }
      const restored = join(folder, 'restored.db');
      assert.is(sqlite(restored, tells), rows);
      assert.is(
        sqlite(restored, `insert into things(text) values ('later'); select text from words('later')`),
        'later',
      );
    } finally {
      for (const one of [store, server, other]) await one.stop();
    }
  }),
);

ofSqlite('SQLite: a truncated dump or a missing server leaves no restore point', () =>
  within(async (folder) => {
    const file = join(folder, 'original.db');
    sqlite(
      file,
      `create table things(text); insert into things select hex(randomblob(3000)) from json_each('[1,2,3,4,5,6,7,8,9]');`,
    );
    const [store, server] = [await startStore(), await startSqlite(file)];
    const env = { SERVER_HOST: '127.0.0.1', SERVER_PORT: String(server.port) };
    for (const share of [0, 0.1, 0.5, 0.9]) {
      server.how.share = share;
      assert.is((await run(dumpScript('SQLite'), folder, env)).code, 0);
      assert.match((await run(exportScript, folder, {})).says, /cut short/);
    }
    await server.stop();
    assert.is.not((await run(dumpScript('SQLite'), folder, env)).code, 0);
    writeFileSync(join(folder, 'dump.sql.gz'), Buffer.from('not compressed'));
    writeFileSync(join(folder, 'point'), 'x');
    assert.is.not((await run(uploadScript, folder, storeEnv(store.port))).code, 0);
    assert.equal([...store.objects.keys()], []);
    await store.stop();
  }),
);

ofSqlite('BAK-024 a dump that runs a command of sqlite3 or opens another file is refused', () =>
  within(async (folder) => {
    for (const line of ['.shell touch ran', `ATTACH 'ran' AS other;`]) {
      const dump = `BEGIN TRANSACTION;\nCREATE TABLE things(text);\nCOMMIT;\n${line}\n`;
      writeFileSync(join(folder, 'dump.sql.gz'), gzipSync(dump));
      const { code, says } = await run(convertScript, folder, {});
      assert.is.not(code, 0);
      assert.match(says, 'safe mode');
      assert.not.ok(existsSync(join(folder, 'ran')));
    }
  }),
);

ofSqlite('BAK-024 a dump in the older format of the server is loaded', () =>
  within(async (folder) => {
    const dump = `PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE "things" (text);\nINSERT INTO "things" VALUES('a');\nCOMMIT;\n`;
    writeFileSync(join(folder, 'dump.sql.gz'), gzipSync(dump));
    const { code, says } = await run(convertScript, folder, {});
    assert.is(code, 0, says);
    assert.is(sqlite(join(folder, 'restored.db'), 'select text from things'), 'a');
  }),
);

ofMysql(
  'BAK-011 BAK-024 BAK-025 MySQL: rows, blobs, emoji, views, triggers, routines and events come back as they were',
  () =>
    within(async (folder) => {
      const server = await startMysql(folder);
      const store = await startStore();
      try {
        const packet = server.ask('select @@global.max_allowed_packet');
        server.ask(`create database shop character set utf8mb4; create database again character set utf8mb4;
        create user core@'%' identified by '${secrets.PASSWORD.replaceAll(/["'\\]/g, String.raw`\$&`)}'; grant all on *.* to core@'%' with grant option;`);
        server.ask(
          `create table things(id int auto_increment primary key, text varchar(80), photo longblob) charset utf8mb4;
         create trigger up before insert on things for each row set new.text = concat(new.text, '!');
         insert into things(text, photo) values ('a \\'quoted\\' 😀', x'00FF0A27'), (null, repeat(x'00', 70000)), ('large', random_bytes(1024));
         create view v as select id from things;
         create procedure p() select 1; create function f() returns int deterministic return 7;
         create event e on schedule every 1 day do delete from things;`,
          'shop',
        );
        server.ask(`update things set photo = repeat(photo, 26 * 1024) where text = 'large!';`, 'shop');
        const tells = (of: string) => {
          const about = `select id, text, length(photo), md5(photo) from things; select count(*) from v; select f();
          select routine_name, routine_type from information_schema.routines where routine_schema = '${of}' order by 1;
          select trigger_name from information_schema.triggers where trigger_schema = '${of}';
          select event_name from information_schema.events where event_schema = '${of}';`;
          return server.ask(`set names utf8mb4; ${about}`, of);
        };
        const env = (DATABASE: string): Env => ({
          SERVER_HOST: '127.0.0.1',
          SERVER_PORT: String(server.port),
          USERNAME: 'core',
          PASSWORD: secrets.PASSWORD,
          DATABASE,
        });
        const dir = join(folder, 'dump');
        const dumped = await run(dumpScript('MySQL'), dir, env('shop'));
        assert.is(dumped.code, 0, dumped.says);
        assert.not.ok(readdirSync(dir).includes('client.cnf'), 'the password is not left behind');
        const stored = await run(uploadScript, dir, storeEnv(store.port));
        assert.is(stored.code, 0, stored.says);
        const RESTORE_POINT = pointIn(store.objects);
        const into = join(folder, 'load');
        assert.is((await run(downloadScript, into, { ...storeEnv(store.port), RESTORE_POINT })).code, 0);
        for (const _ of ['first', 'again']) {
          const loaded = await run(loadScript('MySQL'), into, env('again'));
          assert.is(loaded.code, 0, loaded.says);
        }
        assert.is(tells('again'), tells('shop'));
        assert.is(server.ask('select @@global.max_allowed_packet'), packet, 'the limit of the server is its own');
        for (const line of ['system touch ran', String.raw`\! touch ran`]) {
          writeFileSync(join(into, 'dump.sql.gz'), gzipSync(`${line}\n`));
          await run(loadScript('MySQL'), into, env('again'));
          assert.not.ok(existsSync(join(into, 'ran')), 'a dump runs no command of the client');
        }

        const wrong = await run(dumpScript('MySQL'), dir, { ...env('shop'), PASSWORD: 'wrong' });
        assert.is.not(wrong.code, 0);
        assert.not.ok(existsSync(join(dir, 'dump.ended')), 'a wrong password leaves no dump that could be stored');
        server.ask(
          `drop view v; create table hidden(id int); create view v as select id from hidden; drop table hidden;`,
          'shop',
        );
        const torn = await run(dumpScript('MySQL'), dir, env('shop'));
        assert.is.not(torn.code, 0, 'the first of two commands of a pipe failed');
      } finally {
        await store.stop();
        await server.stop();
      }
    }),
);

plain('BAK-011 BAK-024 the scripts run here equal those in the containers of the Jobs', () => {
  const place = { endpoint: '', region: 'eu-west-1', bucket: 'core-backup-1', project: 'shop', serverName: 'orders-1' };
  const plan = { place, placement: { region: 'local', tags: [], required: [] }, images: databaseImages };
  /** The scripts of a Job, in the order in which its containers run. */
  const carried = (job: object): readonly string[] => {
    const { jobTemplate, ...itself } = (job as { readonly spec: JobSpec }).spec;
    const { initContainers, containers } = (jobTemplate?.spec ?? itself).template.spec;
    return [...initContainers, ...containers].map(({ command }) => command[2] ?? '');
  };
  for (const engine of ['MySQL', 'SQLite'] as const) {
    const database = databaseOf({ engine, highAvailability: false });
    for (const make of [backupCronJob, firstBackupJob, finalBackupJob])
      assert.equal(carried(make(database, database.spec, plan)), [
        dumpScript(engine),
        ...(engine === 'SQLite' ? [exportScript] : []),
        uploadScript,
      ]);
    assert.equal(carried(restoreJob(database, database.spec, { ...plan, restorePoint: '20260101T020000Z' })), [
      downloadScript,
      ...(engine === 'SQLite' ? [convertScript] : []),
      loadScript(engine),
    ]);
  }
});

plain('no secret of a backup is an argument of a process: the scripts use the environment and files', () => {
  const all = [dumpScript('MySQL'), dumpScript('SQLite'), uploadScript, downloadScript, loadScript('MySQL')].join('\n');
  // `quoted` is a function of the shell, and `printf` a part of it: neither is a process.
  const read = all
    .split('\n')
    .filter((line) => /PASSWORD|ACCESS_/.test(line))
    .map((line) => line.trim().split(' ')[0]);
  assert.equal(new Set(read), new Set(['"$(quoted', 'export']));
  assert.not.match(readFileSync(new URL('../../rules/backup/scripts.ts', import.meta.url), 'utf8'), /--password|-p"/);
});

plain.run();

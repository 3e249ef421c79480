import { spawnSync } from 'node:child_process';
import * as assert from 'uvu/assert';
import { sharedDatabaseName, sharedLogin } from '../../../../rules/logicalDatabase/names.ts';
import { scriptOf, takenExit } from '../../../../rules/logicalDatabase/scripts.ts';
import {
  type Login,
  noMariadb,
  noPostgres,
  type SqlServer,
  startMariadb,
  startPostgres,
} from '../../../support/sqlServers.ts';
import { suite } from '../../../support/suite.ts';
import { unless } from '../../../support/unless.ts';
import { until } from '../../../support/until.ts';

interface SqlRequest {
  readonly database: string;
  readonly login: string;
  readonly password?: string;
  readonly limit?: number;
  readonly port?: number;
}

/** Runs the script of a Job as a pod would: `sh -c`, with these variables and no others. */
function runJob(server: SqlServer, role: 'create' | 'drop', { database, login, ...asked }: SqlRequest) {
  const env = {
    PATH: process.env['PATH'] ?? '',
    SERVER_HOST: '127.0.0.1',
    SERVER_PORT: String(asked.port ?? server.port),
    SERVER_DATABASE: server.engine === 'Postgres' ? 'postgres' : 'mysql',
    ADMIN_USERNAME: server.admin.username,
    ADMIN_PASSWORD: server.admin.password,
    DATABASE: database,
    LOGIN: login,
    ...(asked.password === undefined ? {} : { LOGIN_PASSWORD: asked.password }),
    CONNECTION_LIMIT: String(asked.limit ?? 20),
  };
  const { status, stdout, stderr } = spawnSync('sh', ['-c', scriptOf(server.engine, role)], { env, encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}` };
}

const runs = (server: SqlServer, role: 'create' | 'drop', asked: SqlRequest): void => {
  const { status, said } = runJob(server, role, asked);
  assert.is(status, 0, said);
};

const password = `p@:/%'"\\ $x\``;
const parts = { project: 'shop', environment: 'live', databaseName: 'Orders' };
const shared = { database: sharedDatabaseName(parts), login: sharedLogin(parts), password };
const loginOf = ({ login, password: own = password }: SqlRequest): Login => ({ username: login, password: own });
const existing = (server: SqlServer): readonly string[] => {
  const statement =
    server.engine === 'Postgres'
      ? 'SELECT datname FROM pg_database'
      : 'SELECT schema_name FROM information_schema.schemata';
  return server.query(server.admin, server.engine === 'Postgres' ? 'postgres' : '', statement).out.split('\n');
};

/** What holds of both engines. */
function common(spec: ReturnType<typeof unless>, given: () => SqlServer): void {
  spec('LDB-028 LDB-044 a separate login owns each logical database, and creating one twice changes nothing', () => {
    const server = given();
    runs(server, 'create', shared);
    assert.is(server.query(loginOf(shared), shared.database, 'CREATE TABLE one (n int)').code, 0);
    runs(server, 'create', shared);
    const { code, said } = server.query(loginOf(shared), shared.database, 'INSERT INTO one VALUES (1)');
    assert.is(code, 0, said);
    const beside = { ...shared, database: 'beside', login: 'u_beside' };
    runs(server, 'create', beside);
    assert.is.not(server.query(loginOf(shared), 'beside', 'SELECT 1').code, 0);
    const own = server.engine === 'Postgres' ? 'postgres' : 'mysql';
    assert.is.not(server.query(loginOf(shared), own, 'SELECT 1').code, 0);
    runs(server, 'drop', beside);
  });

  spec('LDB-027 decision 80: creation and drop leave a database of another login unchanged', () => {
    const server = given();
    runs(server, 'create', shared);
    const other = { ...shared, login: 'u_other' };
    assert.is(runJob(server, 'create', other).status, takenExit);
    runs(server, 'drop', other);
    assert.ok(existing(server).includes(shared.database));
    assert.is(server.query(loginOf(shared), shared.database, 'SELECT 1').code, 0);
  });

  spec('LDB-053 a drop ends the sessions and removes the database and its login, and is idempotent', async () => {
    const server = given();
    runs(server, 'create', shared);
    const session = server.session(loginOf(shared), shared.database);
    const ended = new Promise((resolve) => session.once('exit', resolve));
    await areOpen(server, shared.login, 1);
    runs(server, 'drop', shared);
    await ended;
    assert.not.ok(existing(server).includes(shared.database));
    assert.is.not(server.query(loginOf(shared), '', 'SELECT 1').code, 0);
    runs(server, 'drop', shared);
  });

  spec('LDB-016 names that are reserved words or differ only in case are created and dropped separately', () => {
    const server = given();
    const names = ['select', 'Order', 'order', '_x'];
    for (const name of names) runs(server, 'create', { database: name, login: `u_${name}`, password });
    const all = existing(server);
    assert.ok(names.every((name) => all.includes(name)));
    for (const name of names) runs(server, 'drop', { database: name, login: `u_${name}`, password });
    assert.not.ok(existing(server).some((name) => names.includes(name)));
  });

  spec('LDB-019 LDB-020 a connection over the limit is refused, and a changed limit has no effect', async () => {
    const server = given();
    const two = { ...shared, database: 'few', login: 'u_few', limit: 2 };
    runs(server, 'create', two);
    runs(server, 'create', { ...two, limit: 9 });
    const held = [server.session(loginOf(two), 'few'), server.session(loginOf(two), 'few')];
    await areOpen(server, two.login, 2);
    assert.is.not(server.query(loginOf(two), 'few', 'SELECT 1').code, 0);
    runs(server, 'drop', two);
    for (const one of held) one.kill();
  });

  spec('an unavailable server fails the Job with a retryable failure', () => {
    const { status } = runJob(given(), 'create', { ...shared, port: 1 });
    assert.ok(status !== 0 && status !== takenExit);
  });
}

/** Waits until a login has so many sessions, by what the administrator sees. */
const areOpen = (server: SqlServer, login: string, count: number) => {
  const [database, statement] =
    server.engine === 'Postgres'
      ? ['postgres', `SELECT count(*) FROM pg_stat_activity WHERE usename = '${login}'`]
      : ['', `SELECT count(*) FROM information_schema.processlist WHERE user = '${login}'`];
  const { admin } = server;
  return until(() => server.query(admin, database, statement).out === String(count), `${login} has ${count} sessions`);
};

const withServer = (spec: ReturnType<typeof suite>, lacks: string | null, start: () => Promise<SqlServer>) => {
  let server: SqlServer | undefined;
  const given = (): SqlServer => {
    if (server === undefined) throw new Error('the server runs within tests alone');
    return server;
  };
  if (lacks === null) {
    spec.before(async () => void (server = await start()));
    spec.after(() => server?.stop());
  }
  return { spec: unless(spec, lacks), given };
};

const postgres = suite('the SQL of logical databases on Postgres');
const onPostgres = withServer(postgres, noPostgres(), startPostgres);
common(onPostgres.spec, onPostgres.given);

onPostgres.spec("LDB-045 PUBLIC has no right, neither on the database nor on the server's own", () => {
  const server = onPostgres.given();
  runs(server, 'create', shared);
  const rights = (database: string) =>
    `SELECT has_database_privilege('public', '${database}', 'CONNECT') OR has_database_privilege('public', '${database}', 'TEMP')`;
  for (const database of [shared.database, 'postgres'])
    assert.is(server.query(server.admin, 'postgres', rights(database)).out, 'f', database);
  const inSchema = `SELECT has_schema_privilege('public', 'public', 'USAGE')`;
  assert.is(server.query(server.admin, shared.database, inSchema).out, 'f');
});

onPostgres.spec(
  'LDB-029 the login of a Postgres server of the project owns the logical database, and system databases stay',
  () => {
    const server = onPostgres.given();
    server.query(server.admin, 'postgres', `CREATE ROLE app LOGIN PASSWORD 'apps'`);
    runs(server, 'create', { database: 'Mine', login: 'app' });
    const app = { username: 'app', password: 'apps' };
    assert.is(server.query(app, 'Mine', 'CREATE TABLE t (n int)').code, 0);
    assert.is(
      server.query(app, 'Mine', 'SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = current_database()')
        .out,
      'app',
    );
    assert.is(runJob(server, 'create', { database: 'template1', login: 'app' }).status, takenExit);
  },
);
postgres.run();

const mysql = suite('the SQL of logical databases on MySQL');
const onMysql = withServer(mysql, noMariadb(), startMariadb);
common(onMysql.spec, onMysql.given);

onMysql.spec('LDB-044 an underscore in a database name gives no access to another database', () => {
  const server = onMysql.given();
  const one = { ...shared, database: 'a_b', login: 'u_one' };
  const other = { ...shared, database: 'axb', login: 'u_two' };
  runs(server, 'create', other);
  runs(server, 'create', one);
  server.query(loginOf(other), 'axb', 'CREATE TABLE secret (n int)');
  assert.is(server.query(loginOf(one), 'a_b', 'SELECT 1').code, 0);
  assert.is.not(server.query(loginOf(one), '', 'SELECT * FROM axb.secret').code, 0);
  runs(server, 'drop', one);
  runs(server, 'drop', other);
});

onMysql.spec(
  'LDB-029 the login of a MySQL server of the project owns the logical database, and system databases stay',
  () => {
    const server = onMysql.given();
    server.query(server.admin, '', `CREATE USER app@'%' IDENTIFIED BY 'apps'`);
    runs(server, 'create', { database: 'Mine', login: 'app' });
    assert.is(server.query({ username: 'app', password: 'apps' }, 'Mine', 'CREATE TABLE t (n int)').code, 0);
    assert.is(runJob(server, 'create', { database: 'mysql', login: 'app' }).status, takenExit);
  },
);
mysql.run();

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './freePort.ts';

/** A real server of an engine, with its administrator and one more login, in a folder of its own. */
export interface SqlServer {
  readonly engine: 'Postgres' | 'MySQL';
  readonly port: number;
  readonly admin: { readonly username: string; readonly password: string };
  /** What a login reads from a statement; fails with what the client says. */
  readonly query: (login: Login, database: string, statement: string) => Outcome;
  /** A session that stays until it is ended by itself or by the server. */
  readonly session: (login: Login, database: string) => ChildProcess;
  readonly stop: () => void;
}

export interface Login {
  readonly username: string;
  readonly password: string;
}

interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly said: string;
}

const postgresHome = '/usr/lib/postgresql';
const postgresBin = () => {
  const [newest] = existsSync(postgresHome) ? readdirSync(postgresHome).toSorted((a, b) => Number(b) - Number(a)) : [];
  return newest === undefined ? null : join(postgresHome, newest, 'bin');
};

/** Why specs with a real server are skipped; null where it is installed. */
export const noPostgres = (): string | null => (postgresBin() === null ? 'postgresql is not installed' : null);
export const noMariadb = (): string | null =>
  spawnSync('mariadbd', ['--version']).status === 0 ? null : 'mariadb-server is not installed';

const isRoot = process.getuid?.() === 0;
const idOf = (user: string, flag: '-u' | '-g') => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));

/** A folder that the user of the server owns; root may not run either server. */
function folderOf(user: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'core-sql-'));
  chmodSync(folder, 0o755);
  if (isRoot) chownSync(folder, idOf(user, '-u'), idOf(user, '-g'));
  return folder;
}

const asUser = (user: string) => (isRoot ? { uid: idOf(user, '-u'), gid: idOf(user, '-g') } : {});

const outcomeOf = ({ status, stdout, stderr }: ReturnType<typeof spawnSync>): Outcome => ({
  code: status,
  out: String(stdout).trim(),
  said: String(stderr).trim(),
});

async function answers(ask: () => Outcome, stop: () => void): Promise<void> {
  const until = performance.now() + 60_000;
  for (let last = ask(); last.code !== 0; last = ask()) {
    if (performance.now() > until) {
      stop();
      throw new Error(`the server does not answer: ${last.said}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const password = 'Adm1n@:/%';

/** Postgres as Debian packs it. */
export async function startPostgres(): Promise<SqlServer> {
  const bin = postgresBin() ?? '';
  const folder = folderOf('postgres');
  const given = { ...asUser('postgres'), cwd: folder, encoding: 'utf8' as const };
  writeFileSync(join(folder, 'password'), password, { mode: 0o644 });
  const made = ['-D', join(folder, 'data'), '-U', 'postgres', '--auth=scram-sha-256', '-N'];
  execFileSync(join(bin, 'initdb'), [...made, `--pwfile=${join(folder, 'password')}`], { ...given, stdio: 'pipe' });
  const port = await freePort();
  const settings = [
    'fsync=off',
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'log_statement=all',
  ];
  const args = ['-D', join(folder, 'data'), '-p', String(port), ...settings.flatMap((one) => ['-c', one])];
  const server = spawn(join(bin, 'postgres'), args, { ...given, stdio: 'ignore' });
  const client = (login: Login, database: string) =>
    [
      'psql',
      ['-X', '-q', '-t', '-A', '-h', '127.0.0.1', '-p', String(port), '-U', login.username],
      { ...process.env, PGPASSWORD: login.password, PGDATABASE: database },
    ] as const;
  const query: SqlServer['query'] = (login, database, statement) => {
    const [program, options, env] = client(login, database);
    return outcomeOf(spawnSync(program, [...options, '-v', 'ON_ERROR_STOP=1'], { env, input: statement }));
  };
  const admin = { username: 'postgres', password };
  await answers(
    () => query(admin, 'postgres', 'SELECT 1'),
    () => stopServer(server, folder),
  );
  return {
    engine: 'Postgres',
    port,
    admin,
    query,
    session: (login, database) => {
      const [program, options, env] = client(login, database);
      const child = spawn(program, [...options, '-c', 'SELECT pg_sleep(60)'], { env, stdio: 'ignore' });
      return child;
    },
    stop: () => stopServer(server, folder),
  };
}

/** MariaDB as Debian packs it, in place of MySQL. */
export async function startMariadb(): Promise<SqlServer> {
  const folder = folderOf('mysql');
  // Its temporary tables stand in its own folder: those of two servers may have the same names.
  const env = { ...process.env, TMPDIR: folder };
  const given = { ...asUser('mysql'), cwd: folder, env, encoding: 'utf8' as const };
  const data = `--datadir=${join(folder, 'data')}`;
  const installed = ['--no-defaults', data, '--auth-root-authentication-method=normal', '--skip-test-db'];
  execFileSync('mariadb-install-db', installed, { ...given, stdio: 'pipe' });
  const port = await freePort();
  const init = `ALTER USER root@localhost IDENTIFIED BY '${password}';
DROP USER IF EXISTS root@'127.0.0.1', root@'::1';
CREATE USER root@'%' IDENTIFIED BY '${password}';
GRANT ALL ON *.* TO root@'%' WITH GRANT OPTION;`;
  writeFileSync(join(folder, 'init.sql'), init, { mode: 0o644 });
  const args = ['--no-defaults', data, `--port=${port}`, '--bind-address=127.0.0.1', `--socket=${folder}/socket`];
  const server = spawn('mariadbd', [...args, `--init-file=${folder}/init.sql`, '--skip-name-resolve'], {
    ...given,
    stdio: 'ignore',
  });
  const client = (login: Login, database: string) =>
    [
      'mariadb',
      [
        '--no-defaults',
        '--protocol=TCP',
        '-h',
        '127.0.0.1',
        '-P',
        String(port),
        '-u',
        login.username,
        '-N',
        '-B',
      ].concat(database === '' ? [] : ['-D', database]),
      { ...process.env, MYSQL_PWD: login.password },
    ] as const;
  const query: SqlServer['query'] = (login, database, statement) => {
    const [program, options, env] = client(login, database);
    return outcomeOf(spawnSync(program, options, { env, input: statement }));
  };
  const admin = { username: 'root', password };
  await answers(
    () => query(admin, '', 'SELECT 1'),
    () => stopServer(server, folder),
  );
  return {
    engine: 'MySQL',
    port,
    admin,
    query,
    session: (login, database) => {
      const [program, options, env] = client(login, database);
      return spawn(program, [...options, '-e', 'SELECT SLEEP(60)'], { env, stdio: 'ignore' });
    },
    stop: () => stopServer(server, folder),
  };
}

function stopServer(server: ChildProcess, folder: string): void {
  server.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

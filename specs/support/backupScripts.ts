import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './freePort.ts';
import { until } from './until.ts';

/** Why scripts that need these tools are not run; null where all of them are installed. */
const lacking = (...tools: readonly string[]): string | null => {
  const missing = tools.filter((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0);
  return missing.length === 0 ? null : `without ${missing.join(', ')}`;
};

export const sqliteTools = lacking('sqlite3', 'rclone', 'curl', 'gzip');
export const mysqlTools = lacking('mariadbd', 'mysqldump', 'mariadb-install-db', 'rclone', 'gzip');

/** A server that listens on a free port until it is stopped. */
export async function listening(server: Server) {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise<void>((stopped) => {
        server.close(() => stopped());
        server.closeAllConnections();
      }),
  };
}

/** The backup of a database file as rqlite answers it: the file, in WAL mode. */
function backupOf(file: string): Buffer {
  const copy = `${file}.copy`;
  execFileSync('sqlite3', [file, `.backup ${copy}`]);
  execFileSync('sqlite3', [copy, 'PRAGMA journal_mode=wal']);
  const bytes = readFileSync(copy);
  rmSync(copy);
  return bytes;
}

/** Stands in for the server of SQLite: the routes of rqlite for its file, over `sqlite3`. */
export async function startSqlite(file: string) {
  /** Of a dump, this share is answered. */
  const how = { share: 1 };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (request.url === '/db/backup') {
        const copy = backupOf(file);
        response.end(copy.subarray(0, copy.length * how.share));
      } else if (request.method === 'POST' && request.url === '/db/load') {
        writeFileSync(file, Buffer.concat(parts));
        response.end('{"results":[]}');
      } else response.writeHead(404).end();
    });
  });
  return { how, ...(await listening(server)) };
}

/** The variables of a script. */
export type Env = Readonly<Record<string, string>>;
export const secrets = {
  PASSWORD: `pa"ss\\w'$rd`,
  ACCESS_KEY_ID: 'AKIASCRIPT',
  ACCESS_SECRET_KEY: 'not-in-an-argument',
};

/**
 * Runs a script as a container would: nothing but its variables, in its own directory. It is killed with all that it
 * started, as a container is, once `isKilled`.
 */
export function run(script: string, cwd: string, env: Env, isKilled?: () => boolean | Promise<boolean>) {
  mkdirSync(cwd, { recursive: true });
  return new Promise<{ readonly code: number | null; readonly says: string }>((ended) => {
    const child = spawn('sh', ['-c', script], {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', ...env },
      detached: isKilled !== undefined,
    });
    let message = '';
    child.stderr.on('data', (text: Buffer) => (message += text.toString()));
    // Its words may arrive after its end.
    child.on('close', (code) => ended({ code, says: message }));
    if (isKilled)
      void until(isKilled, 'the script has come so far').then(() => process.kill(-(child.pid ?? 0), 'SIGKILL'));
  });
}

/** A folder of its own, which goes with the test. */
export async function within(test: (folder: string) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'core-backup-'));
  try {
    await test(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What SQLite answers. */
export const sqlite = (file: string, sql: string) =>
  execFileSync('sqlite3', [file, sql], { maxBuffer: 1e8 }).toString().trim();

/** A server of MariaDB in a folder of its own, which its `stop` ends. */
export async function startMysql(folder: string) {
  const data = join(folder, 'data');
  // Its temporary tables stand in its own folder: those of two servers may have the same names.
  const env = { ...process.env, TMPDIR: folder };
  execFileSync(
    'mariadb-install-db',
    ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', '--user=root'],
    { env, stdio: 'ignore' },
  );
  const port = await freePort();
  const socket = join(folder, 's');
  const child: ChildProcess = spawn(
    'mariadbd',
    [
      '--no-defaults',
      `--datadir=${data}`,
      `--port=${port}`,
      `--socket=${socket}`,
      '--user=root',
      '--bind-address=127.0.0.1',
      '--skip-name-resolve',
      '--innodb-flush-log-at-trx-commit=0',
      // Less than the largest row is long in hexadecimal digits, as with MySQL's 64 MiB a row of 40 MiB.
      '--max-allowed-packet=40M',
      `--pid-file=${join(folder, 'pid')}`,
    ],
    { env, stdio: 'ignore' },
  );
  const ask = (sql: string, database = '') =>
    execFileSync(
      'mariadb',
      [
        '--no-defaults',
        '--default-character-set=utf8mb4',
        '-N',
        `--socket=${socket}`,
        '-u',
        'root',
        ...(database ? [database] : []),
      ],
      { input: sql, stdio: ['pipe', 'pipe', 'inherit'] },
    ).toString();
  await until(() => Promise.resolve(existsSync(socket)), 'the server is up', 60_000);
  return {
    port,
    ask,
    stop: async () => {
      const gone = new Promise((ended) => child.once('exit', ended));
      child.kill('SIGKILL');
      await gone;
    },
  };
}

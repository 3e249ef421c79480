import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from './until.ts';

const programs = '/usr/lib/postgresql/15/bin';
const tools = ['backup', 'restore', 'wal-archive', 'wal-restore'].map((name) => `barman-cloud-${name}`);

/** Why specs with a real Postgres server are skipped; null where it and the tools of its operator are installed. */
export function noPostgres(): string | null {
  const missing = tools.filter((tool) => spawnSync('which', [tool]).status !== 0);
  if (!existsSync(join(programs, 'postgres'))) missing.push('postgresql 15');
  return missing.length === 0 ? null : `${missing.join(', ')} are not installed`;
}

/** Postgres refuses to run as root. */
function accountOf(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres']).toString());
  return { uid: idOf('-u'), gid: idOf('-g') };
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A server that runs, asked over a socket in its own folder. */
export interface PostgresServer {
  readonly socket: string;
  /** Whether a segment of the change log is archived. */
  readonly isArchived: (segment: string) => boolean;
  readonly ask: (sql: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}

export type Settings = Readonly<Record<string, string>>;

/** Servers of Postgres and the tools of its operator, in a folder of their own and with these variables alone. */
export function postgresIn(folder: string, variables: Readonly<Record<string, string>>) {
  const account = accountOf();
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, LANG: 'C.UTF-8', TZ: 'UTC', ...variables };
  const give = (path: string) => {
    if (account.uid !== undefined && account.gid !== undefined) chownSync(path, account.uid, account.gid);
    return path;
  };
  const own = (path: string) => {
    mkdirSync(path, { mode: 0o700 });
    return give(path);
  };
  give(folder);
  const execute = promisify(execFile);
  const run = async (program: string, ...args: readonly string[]): Promise<string> =>
    (await execute(program, [...args], { ...account, env, cwd: folder, timeout: 120_000 })).stdout.trim();

  return {
    own,
    run,
    /** An empty data directory. */
    init: (name: string) =>
      run(join(programs, 'initdb'), '-D', own(join(folder, name)), '-U', 'postgres', '-A', 'trust', '--no-sync'),

    /** Starts a server and waits until it takes writes; fails with its log where it ends before that. */
    start: async (name: string, settings: Settings, isRecovered = false): Promise<PostgresServer> => {
      const data = join(folder, name);
      const socket = own(join(folder, `${name}.s`));
      const given = { listen_addresses: '', unix_socket_directories: socket, fsync: 'off', ...settings };
      const lines = Object.entries(given).map(([setting, value]) => `${setting} = ${quoted(value)}\n`);
      appendFileSync(join(data, 'postgresql.auto.conf'), lines.join(''));
      if (isRecovered) writeFileSync(join(data, 'recovery.signal'), '');
      const log = join(folder, `${name}.log`);
      const output = openSync(log, 'a');
      const child = spawn(join(programs, 'postgres'), ['-D', data], {
        ...account,
        env,
        cwd: folder,
        stdio: ['ignore', output, output],
      });
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      const ask = (sql: string) =>
        run(
          join(programs, 'psql'),
          '-h',
          socket,
          '-U',
          'postgres',
          '-d',
          'postgres',
          '-v',
          'ON_ERROR_STOP=1',
          '-Atqc',
          sql,
        );
      // A client that asks again and again would slow a busy machine down.
      await until(
        () => hasEnded(child) || readFileSync(log, 'utf8').includes('is ready to accept connections'),
        `${name} takes writes`,
        startsWithinMs,
      );
      if (hasEnded(child)) throw new Error(readFileSync(log, 'utf8'));
      return {
        socket,
        ask,
        isArchived: (segment) => existsSync(join(data, 'pg_wal', 'archive_status', `${segment}.done`)),
        stop: async () => {
          child.kill('SIGQUIT');
          await ended;
        },
      };
    },
  };
}

/** A recovery starts a program of Python for each segment. */
const startsWithinMs = 300_000;

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

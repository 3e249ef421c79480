import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { root } from '../support/product.ts';
import { isWhole } from '../support/share.ts';
import { seldom } from '../support/seldom.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';

const spec = suite('the lock of a data directory, between processes');
const seldomly = seldom(spec, 3);
const base = mkdtempSync(join(tmpdir(), 'core-lock-'));
const children: ChildProcess[] = [];
spec.after.each(async () => {
  for (const child of children.splice(0)) await ended(child, 'SIGKILL');
});
spec.after(() => rmSync(base, { recursive: true, force: true }));

const ports = ['--port', '--health-port', '--metrics-port', '--kube-port', '--git-port', '--cloud-port'].flatMap(
  (flag) => [flag, '0'],
);
/** In a PID namespace of its own, where the program is process 1, as in a container. */
const contained = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'];
const noNamespaces =
  spawnSync(contained[0] ?? '', [...contained.slice(1), 'true']).status === 0 ? null : 'no PID namespace can be made';

interface Started {
  readonly child: ChildProcess;
  /** All that was said so far. */
  readonly said: () => string;
}

/** Starts the embedded cluster under other programs, the last of which runs it. */
function start(dataDir: string, under: readonly string[] = []): Started {
  const [command = '', ...args] = [...under, process.execPath, 'dist/core.js', 'start', ...ports];
  const child = spawn(command, [...args, '--data-dir', dataDir], {
    cwd: root,
    env: { ...process.env, CORE_ROLE: 'cluster' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return { child, said: () => said };
}

const isReady = ({ said }: Started) => said().split('\n').includes('ready');
const isOver = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;
const settled = (started: Started) =>
  until(() => isReady(started) || isOver(started.child), 'it is ready, or refused', 120_000);

async function runs(started: Started): Promise<void> {
  await settled(started);
  assert.ok(isReady(started), started.said());
}

async function ended(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (isOver(child)) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

const inNamespaces = unless(spec, noNamespaces ?? (isWhole ? null : '`npm run whole` starts it in PID namespaces'));

inNamespaces('a second server is refused in any PID namespace, whatever its process id', async () => {
  const dataDir = join(base, 'namespaces');
  await runs(start(dataDir, contained));
  // The one in a shell is another process than the first of its namespace.
  for (const under of [contained, [...contained, 'sh', '-c', '"$0" "$@"; exit $?'], []]) {
    const second = start(dataDir, under);
    await settled(second);
    assert.not.ok(isReady(second), `two run at once, the second under ${under.join(' ')}`);
    assert.match(second.said(), /namespaces is in use by process 1 on \S+; stop it, or choose another --data-dir\n/);
    assert.is(second.child.exitCode, 2);
  }
});

inNamespaces('a backup is complete when its process id equals that of the server in another namespace', async () => {
  const dataDir = join(base, 'backed-up');
  await runs(start(dataDir, contained));
  const file = join(base, 'one.backup');
  const [command, ...args] = [...contained, process.execPath, 'dist/core.js', 'backup', file];
  const said = await new Promise<string>((done) =>
    execFile(command ?? '', [...args, '--data-dir', dataDir], { cwd: root }, (_, out, err) => done(out + err)),
  );
  assert.match(said, /^\d+ objects of \S+ are in \S+\n$/);
  assert.ok(existsSync(file));
});

seldomly('a dead process that was not reaped holds no lock', async () => {
  const dataDir = join(base, 'zombie');
  // The shell becomes a program that never asks for its children.
  const parent = start(dataDir, ['sh', '-c', '"$0" "$@" & exec sleep 600']);
  await runs(parent);
  const [, pid = ''] = /^process (\d+) /.exec(readFileSync(join(dataDir, 'lock'), 'utf8')) ?? [];
  process.kill(Number(pid), 'SIGKILL');
  const state = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.[0];
  if (existsSync('/proc/self/stat')) await until(() => state() === 'Z', 'it is a zombie');
  await runs(start(dataDir));
});

seldomly('a start directly after a kill acquires the lock', async () => {
  const dataDir = join(base, 'killed');
  for (let count = 0; count < 3; count += 1) {
    const started = start(dataDir);
    await runs(started);
    await ended(started.child, 'SIGKILL');
    assert.ok(existsSync(join(dataDir, 'lock')), 'it had no time to remove it');
  }
  const last = start(dataDir);
  await runs(last);
  await ended(last.child, 'SIGTERM');
  assert.not.ok(existsSync(join(dataDir, 'lock')), 'a stop leaves no lock behind');
});

seldomly('permissions of a data directory are restricted to its owner, and the log reports it', async () => {
  const dataDir = mkdtempSync(join(base, 'open-'));
  chmodSync(dataDir, 0o777);
  const started = start(dataDir);
  await runs(started);
  assert.is(statSync(dataDir).mode & 0o777, 0o700);
  assert.match(
    started.said(),
    new RegExp(`restricted file permissions to their owner.*${JSON.stringify([dataDir]).slice(1, -1)}`),
  );
  const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).map((name) => join(dataDir, name));
  assert.equal(
    files.filter((path) => (statSync(path).mode & 0o077) !== 0),
    [],
    'nothing in it is open to others either',
  );
  await ended(started.child, 'SIGTERM');
});

spec.run();

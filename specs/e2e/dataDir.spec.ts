import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { root } from '../support/product.ts';
import { isWhole } from '../support/share.ts';
import { seldom } from '../support/seldom.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { until } from '../support/until.ts';

const spec = suite('the data directory of a start');
const wholly = unless(spec, isWhole ? null : 'damaged files and starts at once are played by `npm run whole`');
const seldomly = seldom(spec, 3);
const base = mkdtempSync(join(tmpdir(), 'core-data-dir-'));
spec.after(() => rmSync(base, { recursive: true, force: true }));

const free = ['--port', '--health-port', '--metrics-port', '--kube-port', '--git-port', '--cloud-port'].flatMap(
  (flag) => [flag, '0'],
);
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

interface ProcessOutput {
  readonly code: unknown;
  readonly lines: readonly string[];
}

/** What a command that cannot be done says to its user, beside the log, and its exit code. */
const refusal = (args: readonly string[], uid?: number) =>
  new Promise<ProcessOutput>((ended) =>
    execFile(
      process.execPath,
      ['dist/core.js', ...args],
      { cwd: root, timeout: 120_000, env: { ...process.env, CORE_ROLE: 'cluster' }, ...(uid !== undefined && { uid }) },
      (error, _, said) => {
        const all = said.split('\n').filter((line) => line !== '');
        const lines = all.filter((line) => !line.startsWith('{"time"'));
        // One that fails in silence is told by its log.
        ended({ code: error?.code ?? error?.signal ?? 0, lines: error && lines.length === 0 ? all : lines });
      },
    ),
  );

/** Every file below a folder with what it says; the table of readers is lmdb's own and changes with each of them. */
function contents(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter(({ name }) => name !== 'objects.mdb-lock')
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [path, entry.isFile() ? readFileSync(path, 'latin1') : ''];
      }),
  );
}

/** Refused in one line, and everything is as it was. */
async function isRefused(dataDir: string, words: RegExp, more: readonly string[] = [], uid?: number) {
  const [existed, before] = [existsSync(dataDir), contents(dataDir)];
  const { code, lines } = await refusal(['start', ...free, '--data-dir', dataDir, ...more], uid);
  assert.is(lines.length, 1, `one line is said, and ${String(code)}: ${lines.join('\n')}`);
  assert.match(lines[0] ?? '', words);
  assert.is(code, 2);
  assert.equal(contents(dataDir), before);
  assert.is(existsSync(dataDir), existed);
}

/** A cluster that runs in a folder, until it is ended. */
async function runs(dataDir: string) {
  const child: ChildProcess = spawn(process.execPath, ['dist/core.js', 'start', ...free, '--data-dir', dataDir], {
    cwd: root,
    env: { ...process.env, CORE_ROLE: 'cluster' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await until(() => said.includes('ready\n') || child.exitCode !== null, 'it is ready');
  assert.match(said, 'ready\n');
  return async (signal: 'SIGTERM' | 'SIGKILL') => {
    const exit = once(child, 'exit');
    child.kill(signal);
    if (child.exitCode === null && child.signalCode === null) await exit;
  };
}

const folder = (name: string, files: Readonly<Record<string, string>> = {}) => {
  const path = join(base, name);
  mkdirSync(path);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
};

seldomly('a folder with files of another program is refused before anything is written', async () => {
  await isRefused(
    folder('photos', { 'a.jpg': '', 'b.jpg': '', 'c.jpg': '', 'd.jpg': '' }),
    /photos holds other files \(a\.jpg, b\.jpg, c\.jpg, …\) and no data of Core: choose an empty --data-dir$/,
  );
  await isRefused(folder('kube', { kubeconfig: 'theirs' }), /holds other files \(kubeconfig\)/);
  const mixed = folder('mixed', { token: 'theirs', lock: '1 1', notes: '' });
  await isRefused(mixed, /holds other files \(notes\)/);
});

const withRights = unless(
  spec,
  isRoot && statSync(root).uid === 0 && process.env['CORE_SPEC_MOUNTS'] === undefined
    ? null
    : 'only root can be nobody',
);
withRights('a data directory without write permission is reported', async () => {
  chmodSync(base, 0o755);
  const closed = folder('closed');
  chmodSync(closed, 0o500);
  chownSync(closed, nobody, nobody);
  await isRefused(closed, /^the data directory cannot be used: permission denied, open /, [], nobody);
  await isRefused(join(base, 'not-there'), /^the data directory cannot be made: EACCES/, [], nobody);
  const unread = folder('unread');
  chmodSync(unread, 0o700);
  await isRefused(unread, /EACCES/, [], nobody);
});

seldomly('an empty folder is accepted as a data directory, and a refused one is left unchanged', async () => {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const inUse = new RegExp(`^127\\.0\\.0\\.1:${port} is in use`);
  const [empty, absent] = [folder('empty'), join(base, 'absent', 'below')];
  await isRefused(empty, inUse, ['--kube-port', String(port)]);
  await isRefused(absent, inUse, ['--git-port', String(port)]);
  assert.not.ok(existsSync(join(base, 'absent')));
  const end = await runs(empty);
  await end('SIGTERM');
  assert.not.ok(readdirSync(empty).includes('lock'), 'a stop gives the lock back');
  const names = readdirSync(empty);
  const again = await refusal(['start', ...free, '--data-dir', empty, '--kube-port', String(port)]);
  assert.match(again.lines.join('\n'), inUse);
  assert.equal(readdirSync(empty), names, 'data that was there stays');
  server.close();
});

seldomly('a data directory path that is a file is reported', async () => {
  const file = join(base, 'file');
  writeFileSync(file, 'theirs');
  const { lines, code } = await refusal(['start', ...free, '--data-dir', file]);
  assert.match(lines.join('\n'), /^the data directory cannot be made: EEXIST/);
  assert.is(code, 2);
  await isRefused(join(file, 'below'), /^the data directory cannot be made: E/);
  assert.is(readFileSync(file, 'utf8'), 'theirs');
});

seldomly('a running process keeps its data directory, and a dead one does not', async () => {
  const dataDir = folder('held');
  const end = await runs(dataDir);
  const [first, second] = await Promise.all([1, 2].map(() => refusal(['start', ...free, '--data-dir', dataDir])));
  for (const { lines, code } of [first, second] as readonly ProcessOutput[]) {
    assert.match(lines.join('\n'), /^\S+ is in use by process \d+ on \S+; stop it, or choose another --data-dir$/);
    assert.is(code, 2);
  }
  await end('SIGKILL');
  assert.ok(existsSync(join(dataDir, 'lock')), 'it had no time to give it back');
  await (
    await runs(dataDir)
  )('SIGTERM');
  // The number of a process that lives, with the start of another one.
  writeFileSync(join(dataDir, 'lock'), `${process.pid} 1`);
  await (
    await runs(dataDir)
  )('SIGTERM');
  writeFileSync(join(dataDir, 'lock'), '');
  await (
    await runs(dataDir)
  )('SIGTERM');
  assert.equal(
    readdirSync(dataDir).filter((name) => name.startsWith('lock')),
    [],
  );
});

wholly('one of several simultaneous starts runs, and the others are refused', async () => {
  const dataDir = folder('raced', { lock: '999999999 1', 'git-app.json.new': '' });
  const ends = await Promise.allSettled([runs(dataDir), runs(dataDir), runs(dataDir)]);
  const running = ends.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  assert.is(running.length, 1);
  assert.ok(existsSync(join(dataDir, 'lock')));
  for (const end of running) await end('SIGTERM');
});

wholly('every damaged file is reported by name, and nothing is changed', async () => {
  const dataDir = folder('damaged');
  await (
    await runs(dataDir)
  )('SIGTERM');
  const damaged = async (file: string, damage: (path: string) => void, words: RegExp) => {
    const path = join(dataDir, file);
    const whole = readFileSync(path);
    damage(path);
    await isRefused(dataDir, words);
    writeFileSync(path, whole);
  };
  const garbage = (path: string) => writeFileSync(path, '{"no');
  await damaged('git-app.json', garbage, /git-app\.json is damaged: /);
  await damaged(
    'git-app.json',
    (path) => writeFileSync(path, '{}'),
    /git-app\.json is damaged: it has no appId; restore a backup of the data directory$/,
  );
  await damaged('pki/certificates.json', garbage, /certificates\.json is damaged: /);
  const flipped = (path: string) => writeFileSync(path, readFileSync(path, 'utf8').replace(/MI/g, 'XX'));
  await damaged('pki/certificates.json', flipped, /certificates\.json is damaged: /);
  await damaged('pki/service-accounts.key', garbage, /service-accounts\.key is damaged: /);
  await damaged('objects/objects.mdb', (path) => truncateSync(path, 16_384), /objects\.mdb is damaged: /);
  await damaged(
    'token',
    (path) => truncateSync(path, 0),
    /token is damaged: .*, or remove the file and have it made anew$/,
  );
  await damaged('token', (path) => truncateSync(path, 20), /token is damaged: /);
  await damaged(
    'objects/objects.mdb',
    (path) => truncateSync(path, 0),
    /objects\.mdb is empty, but there are keys of a cluster \(token\): restore a backup, or empty \S+ to begin anew$/,
  );
  await damaged('objects/objects.mdb', rmSync, /objects\.mdb is missing, but there are keys of a cluster/);
  await damaged('objects/objects.mdb', garbage, /objects\.mdb is not a database of Core, or is damaged/);
  writeFileSync(join(dataDir, 'restoring'), '');
  await isRefused(dataDir, /holds a restore that did not finish: empty it and restore again$/);
  rmSync(join(dataDir, 'restoring'));
  await (
    await runs(dataDir)
  )('SIGTERM');
});

seldomly('the backup and restore commands report success or a refusal in one line', async () => {
  const dataDir = folder('kept');
  const end = await runs(dataDir);
  const file = join(base, 'one.backup');
  const one = (...args: readonly string[]) => refusal([...args, '--data-dir', dataDir]);
  assert.equal(await one('backup', file), { code: 0, lines: [] });
  const whole = readFileSync(file);
  const message = async (asked: Promise<ProcessOutput>, words: RegExp) => {
    const { code, lines } = await asked;
    assert.is(lines.length, 1, lines.join('\n'));
    assert.match(lines[0] ?? '', words);
    assert.is(code, 2);
  };
  await message(one('backup', file), /one\.backup exists already: a backup replaces nothing$/);
  await message(one('backup', base), /exists already/);
  await message(
    one('backup', join(dataDir, 'in.backup')),
    /lies inside of the data directory: keep backups elsewhere$/,
  );
  await message(one('backup', join(dataDir, 'pki', 'in.backup')), /lies inside of the data directory/);
  await message(one('backup', join(base, 'no', 'x.backup')), /^there is no folder /);
  assert.ok(readFileSync(file).equals(whole), 'the older backup is as it was');
  await message(one('restore', file), /kept is not empty: restore into a new data directory$/);
  await message(one('restore', join(base, 'none.backup')), /^there is no file /);
  await end('SIGTERM');
  await message(refusal(['restore', file, '--data-dir', file]), /one\.backup is not a directory$/);
  const restored = join(base, 'restored', 'here');
  assert.equal(await refusal(['restore', file, '--data-dir', restored]), { code: 0, lines: [] });
  await (
    await runs(restored)
  )('SIGTERM');
  const cut = join(base, 'cut.backup');
  writeFileSync(cut, whole.subarray(0, whole.length - 9));
  await message(refusal(['restore', cut, '--data-dir', join(base, 'cut')]), /^the backup cannot be read|cut short/);
  assert.not.ok(existsSync(join(base, 'cut')), 'nothing is left of it');
});

spec.run();

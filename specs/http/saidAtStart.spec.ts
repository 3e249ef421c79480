import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import * as assert from 'uvu/assert';
import { runBackup } from '../../http/program/backup.ts';
import { startFailureMessage } from '../../http/program/startFailure.ts';
import { dataDirOf } from '../../http/program/dataDirOf.ts';
import { settingsOf } from '../../http/program/settings.ts';
import { openDisk } from '../../runtime/embedded/api/store/disk.ts';
import { isProgramHere } from '../../runtime/local/programHere.ts';
import { suite } from '../support/suite.ts';

const spec = suite('messages of start and backup');
const base = mkdtempSync(join(tmpdir(), 'core-said-'));
spec.after(() => rmSync(base, { recursive: true, force: true }));

spec('a backup of a data directory with podman names what is not included', async () => {
  const dataDir = join(base, 'data');
  mkdirSync(dataDir);
  const disk = openDisk(join(dataDir, 'objects'));
  await disk.write([{ place: { bucket: '/secrets', namespace: 'a', name: 'b' }, text: '{}' }], 1);
  await disk.close();
  const backup = (name: string) => runBackup('backup', [join(base, name), '--data-dir', dataDir]);
  assert.is(await backup('one'), `1 objects of ${dataDir} are in ${join(base, 'one')}`);
  mkdirSync(join(dataDir, 'podman'));
  assert.is(
    await backup('two'),
    `1 objects of ${dataDir} are in ${join(base, 'two')}\nwith podman it has neither images nor volumes`,
  );
});

spec('a program is available when a folder of the path contains an executable file of its name', () => {
  const [tools, others] = [join(base, 'tools'), join(base, 'others')];
  for (const folder of [tools, others]) mkdirSync(folder);
  const path = ['', others, tools].join(delimiter);
  assert.is(isProgramHere('git', path), false);
  writeFileSync(join(others, 'git'), '', { mode: 0o600 });
  assert.is(isProgramHere('git', path), false);
  writeFileSync(join(tools, 'git'), '');
  chmodSync(join(tools, 'git'), 0o755);
  assert.is(isProgramHere('git', path), true);
  assert.is(isProgramHere('git', ''), false);
});

spec('the data directory is set by the same flag and variable in every command', () => {
  const ways: readonly (readonly [readonly string[], Readonly<Record<string, string>>, string])[] = [
    [['--data-dir', '/a'], { CORE_DATA_DIR: '/b' }, '/a'],
    [['--port', '1', '--data-dir=/a'], {}, '/a'],
    [['--data-dir', ''], { CORE_DATA_DIR: '/b' }, '/b'],
    [[], { CORE_DATA_DIR: '' }, join(process.cwd(), '.core')],
  ];
  for (const [args, env, dataDir] of ways) {
    assert.is(dataDirOf(args, env), dataDir);
    assert.is(settingsOf(args, env).dataDir, dataDir);
  }
});

spec('a failure to listen or write names the setting that changes the address or folder', () => {
  const settings = settingsOf(['--data-dir', '/data', '--port', '81', '--health-port', '81', '--host', 'h'], {});
  const told: readonly (readonly [string, string | null])[] = [
    [
      'listen EACCES: permission denied 127.0.0.1:81',
      'this user may not listen at 127.0.0.1:81: choose another port by CORE_PORT or --port, CORE_HEALTH_PORT or --health-port (0 takes any)',
    ],
    [
      'listen EADDRINUSE: address already in use :::7443',
      ':::7443 is in use: stop what listens there, or choose another port by CORE_KUBE_PORT or --kube-port (0 takes any)',
    ],
    [
      'listen EADDRINUSE: address already in use 127.0.0.1:9',
      '127.0.0.1:9 is in use: stop what listens there, or choose another port (0 takes any)',
    ],
    ['getaddrinfo ENOTFOUND h', 'h is no host: choose another by CORE_HOST or --host'],
    ['getaddrinfo ENOTFOUND elsewhere', null],
    [
      "EACCES: permission denied, open '/data/lock'",
      "the data directory cannot be used: permission denied, open '/data/lock'",
    ],
    ["EROFS: read-only file system, mkdir '/elsewhere'", "read-only file system, mkdir '/elsewhere'"],
  ];
  for (const [message, complaint] of told) assert.is(startFailureMessage(new Error(message), settings), complaint);
});

spec.run();

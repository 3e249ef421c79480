import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import * as assert from 'uvu/assert';
import { kernelLock } from '../../../runtime/embedded/dataDir/kernelLock.ts';
import { lockDataDir } from '../../../runtime/embedded/dataDir/lock.ts';
import { closeToOthers } from '../../../runtime/embedded/dataDir/rights.ts';
import { suite } from '../../support/suite.ts';
import type { TryLock } from '../../../runtime/embedded/dataDir/tryLock.ts';

const spec = suite('the lock of a data directory');
const dir = mkdtempSync(join(tmpdir(), 'core-lock-'));
const lock = join(dir, 'lock');
spec.after(() => rmSync(dir, { recursive: true }));
spec.after.each(() => {
  for (const name of readdirSync(dir)) rmSync(join(dir, name), { recursive: true });
});

const refusal = (tryLock?: TryLock) =>
  lockDataDir(dir, tryLock).then(
    () => 'it was taken',
    (why: unknown) => (why instanceof Error ? `${why.name}: ${why.message.replaceAll(dir, 'DIR')}` : ''),
  );

spec('one process holds the lock, others are refused with its name, and a release leaves no file', async () => {
  const unlock = await lockDataDir(dir);
  for (let count = 0; count < 3; count += 1)
    assert.match(
      await refusal(),
      new RegExp(`^BadData: DIR is in use by process ${process.pid} on \\S+; stop it, or choose another --data-dir$`),
    );
  assert.equal(readdirSync(dir), ['lock']);
  assert.is(statSync(lock).mode & 0o777, 0o600);
  unlock();
  assert.equal(readdirSync(dir), []);
  (await lockDataDir(dir))();
});

spec('the lock depends on the kernel, not on the contents of the file', async () => {
  const said = ['', `process ${process.pid} on here`, `${process.pid} 1`, '999999999 1', 'x'.repeat(5_000)];
  for (const text of said) {
    writeFileSync(lock, text);
    const unlock = await lockDataDir(dir);
    assert.match(readFileSync(lock, 'utf8'), new RegExp(`^process ${process.pid} on \\S+$`));
    writeFileSync(lock, text);
    assert.match(await refusal(), /^BadData: DIR is in use by /);
    unlock();
  }
});

spec('a removed lock file that another process opened is not accepted as the lock', async () => {
  const first = await lockDataDir(dir);
  let isFirst = true;
  // The holder stops between the opening of its file and the attempt to lock it.
  const late: TryLock = (file) => {
    if (isFirst) first();
    isFirst = false;
    return kernelLock(file);
  };
  const unlock = await lockDataDir(dir, late);
  assert.match(await refusal(), /is in use by process/, 'the file of that name is locked');
  unlock();
});

spec('a file system without working locks is refused and left unchanged', async () => {
  const without: TryLock = () => {
    throw Object.assign(new Error('no locks available'), { code: 'ENOLCK' });
  };
  const words = (why: string) =>
    `BadData: DIR lies on a file system that keeps no locks (${why}): choose another --data-dir`;
  assert.is(await refusal(without), words('no locks available'));
  assert.equal(readdirSync(dir), []);
  assert.is(await refusal(() => true), words('it grants one lock twice'));
  assert.equal(readdirSync(dir), []);
});

spec('an older version that runs is found by the lock of its database', async () => {
  mkdirSync(join(dir, 'objects'));
  const database = open({ path: join(dir, 'objects', 'objects.mdb') });
  writeFileSync(lock, '1 4711');
  assert.is(
    await refusal(),
    'BadData: DIR is in use by an older version of Core; stop it, or choose another --data-dir',
  );
  assert.is(readFileSync(lock, 'utf8'), '1 4711');
  await database.close();
  (await lockDataDir(dir))();
});

spec('permissions that give others access are removed and reported', () => {
  mkdirSync(join(dir, 'pki'));
  for (const name of ['token', 'pki/service-accounts.key']) writeFileSync(join(dir, name), '');
  chmodSync(dir, 0o755);
  chmodSync(join(dir, 'pki'), 0o700);
  chmodSync(join(dir, 'token'), 0o644);
  chmodSync(join(dir, 'pki/service-accounts.key'), 0o640);
  const told = closeToOthers(dir);
  assert.equal(
    told.map(({ path, failure }) => [path, failure]),
    [dir, join(dir, 'pki/service-accounts.key'), join(dir, 'token')].map((path) => [path, null]),
  );
  assert.is(statSync(dir).mode & 0o777, 0o700);
  for (const name of ['token', 'pki/service-accounts.key'])
    assert.is(statSync(join(dir, name)).mode & 0o777, 0o600, name);
  assert.equal(closeToOthers(dir), []);
});

spec.run();

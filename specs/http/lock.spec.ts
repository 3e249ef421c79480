import fs, { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { lockDataDir } from '../../http/program/lock.ts';
import { nameOnce } from '../../runtime/embedded/nameOnce.ts';
import { suite } from '../support/suite.ts';

const spec = suite('the lock of a data directory');
const { linkSync } = fs;
const dir = mkdtempSync(join(tmpdir(), 'core-lock-'));
const lock = join(dir, 'lock');
spec.after(() => rmSync(dir, { recursive: true }));
spec.after.each(() => {
  linksAnswer(null);
  for (const name of readdirSync(dir)) rmSync(join(dir, name));
});

/** Makes every link fail with a code, as on a file system without them; null for links as they are. */
function linksAnswer(code: string | null): void {
  fs.linkSync =
    code === null
      ? linkSync
      : () => {
          throw Object.assign(new Error(`${code}: link`), { code });
        };
  syncBuiltinESMExports();
}

const dead = '999999999 1';
const without = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

spec('with links and without: one holds it, a second is refused, the lock of a dead one is taken over', () => {
  for (const code of [null, ...without]) {
    linksAnswer(code);
    const unlock = lockDataDir(dir);
    assert.match(readFileSync(lock, 'utf8'), new RegExp(`^${process.pid} `));
    assert.throws(() => lockDataDir(dir), new RegExp(`in use by process ${process.pid};`), String(code));
    assert.equal(readdirSync(dir), ['lock'], 'nothing else is left');
    unlock();
    assert.equal(readdirSync(dir), []);
    for (const left of [dead, '']) {
      writeFileSync(lock, left);
      const again = lockDataDir(dir);
      assert.match(readFileSync(lock, 'utf8'), new RegExp(`^${process.pid} `));
      again();
    }
  }
});

spec('what keeps a lock from being written is told', () => {
  linksAnswer('EIO');
  assert.throws(() => lockDataDir(dir), /EIO/);
  assert.equal(readdirSync(dir), []);
});

spec('a file gets a name that nobody has, with links and without', () => {
  const [from, to] = [join(dir, 'from'), join(dir, 'to')];
  for (const code of [null, ...without]) {
    linksAnswer(code);
    writeFileSync(from, 'whole');
    nameOnce(from, to);
    assert.is(readFileSync(to, 'utf8'), 'whole');
    rmSync(from, { force: true });
    writeFileSync(from, 'other');
    assert.throws(() => nameOnce(from, to), /EEXIST/);
    assert.is(readFileSync(to, 'utf8'), 'whole', 'what has the name keeps it');
    for (const path of [from, to]) if (existsSync(path)) rmSync(path);
  }
});

spec.run();

import fs, { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { nameOnce } from '../../../runtime/embedded/nameOnce.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('renaming to an unused name');
const { linkSync } = fs;
const dir = mkdtempSync(join(tmpdir(), 'core-name-'));
spec.after(() => rmSync(dir, { recursive: true }));
spec.after.each(() => linksAnswer(null));

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

spec('a file is renamed only to a name that is not in use, with or without hard links', () => {
  const [from, to] = [join(dir, 'from'), join(dir, 'to')];
  for (const code of [null, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']) {
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

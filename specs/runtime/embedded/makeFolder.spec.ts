import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { makeFolder } from '../../../runtime/embedded/makeFolder.ts';
import { suite } from '../../support/suite.ts';
import { unless } from '../../support/unless.ts';

const spec = suite('creating folders');
const base = mkdtempSync(join(tmpdir(), 'core-folder-'));
spec.after(() => rmSync(base, { recursive: true, force: true }));

spec('a folder is created with its missing parents, and an existing one is unchanged', () => {
  const [outer, inner] = [join(base, 'a'), join(base, 'a', 'b')];
  assert.equal(makeFolder(inner, 0o700), [inner, outer]);
  assert.equal(
    [outer, inner].map((path) => statSync(path).mode & 0o777),
    [0o700, 0o700],
  );
  assert.equal(makeFolder(inner, 0o755), []);
  assert.is(statSync(inner).mode & 0o777, 0o700);
});

spec('an error names the file that blocks a folder', () => {
  const file = join(base, 'file');
  writeFileSync(file, '');
  assert.throws(() => makeFolder(file), /EEXIST/);
  assert.throws(() => makeFolder(join(file, 'below')), /EEXIST|ENOTDIR/);
  symlinkSync(join(base, 'nowhere'), join(base, 'link'));
  assert.throws(() => makeFolder(join(base, 'link', 'below')), /EEXIST|ENOENT/);
});

/** The folder that a process stands in can be removed, and reached through its process all the same. */
const onLinux = unless(spec, existsSync('/proc/self/cwd') ? null : 'only Linux reaches a folder that was removed');

onLinux('a folder below one that was unlinked is refused at once', () => {
  const code = `
    import { mkdtempSync, rmdirSync } from 'node:fs';
    import { register } from ${JSON.stringify(import.meta.resolve('tsx/esm/api'))};
    register();
    const { makeFolder } = await import(${JSON.stringify(new URL('../../../runtime/embedded/makeFolder.ts', import.meta.url).href)});
    const folder = mkdtempSync(${JSON.stringify(join(base, 'gone-'))});
    process.chdir(folder);
    rmdirSync(folder);
    try {
      makeFolder('/proc/self/cwd/metrics/pki');
    } catch ({ code }) {
      process.stdout.write(code);
    }`;
  const { stdout, stderr, error } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    encoding: 'utf8',
    timeout: 60_000,
  });
  assert.is(error, undefined, 'it never returned');
  assert.is(stdout, 'ENOENT', stderr);
});

spec.run();

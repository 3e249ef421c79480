import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { holdDataDir } from '../../http/program/heldDataDir.ts';
import { selfSigned } from '../../http/scrape/certificate.ts';
import { suite } from '../support/suite.ts';

const spec = suite('data directory in use');
const base = mkdtempSync(join(tmpdir(), 'core-held-'));
spec.after(() => rmSync(base, { recursive: true, force: true }));

spec('the loss of a data directory is logged once, also when a new folder has the same name', () => {
  const path = join(base, 'one');
  mkdirSync(path);
  const logged: unknown[] = [];
  const { fault, release } = holdDataDir(path, (message, fields) => logged.push([message, fields]));
  try {
    mkdirSync(join(path, 'objects'));
    assert.equal([fault(), logged], [null, []]);
    rmSync(path, { recursive: true });
    assert.is(fault(), 'the data directory was removed');
    mkdirSync(path);
    assert.is(fault(), 'the data directory was removed');
    assert.equal(logged, [['data directory was removed', { path }]]);
  } finally {
    release();
  }
});

spec(
  'the metrics certificate stays in use when the data directory is lost, without creating the directory',
  async () => {
    const path = join(base, 'two');
    mkdirSync(path);
    const held = holdDataDir(path, () => {});
    try {
      const certificate = selfSigned(path, '127.0.0.1', held);
      const first = await certificate();
      rmSync(path, { recursive: true });
      assert.equal(await certificate(), first);
      assert.not.ok(existsSync(path));
    } finally {
      held.release();
    }
  },
);

spec.run();

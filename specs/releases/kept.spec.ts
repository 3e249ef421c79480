import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { kinds } from '../../crds/kinds.ts';
import { root } from '../support/product.ts';
import { suite } from '../support/suite.ts';

const spec = suite('the kinds that are kept');
const base = mkdtempSync(join(tmpdir(), 'core-kinds-'));
spec.after(() => rmSync(base, { recursive: true, force: true }));

const folder = join(base, 'specs/releases');
const program = 'packaging/release/kinds.mjs';
const keep = (tag: string) => spawnSync(process.execPath, [program, tag], { cwd: base, encoding: 'utf8' });

spec.before(() => {
  mkdirSync(folder, { recursive: true });
  cpSync(join(root, 'crds/manifests'), join(base, 'crds/manifests'), { recursive: true });
  cpSync(join(root, program), join(base, program));
  symlinkSync(join(root, 'node_modules'), join(base, 'node_modules'));
});

spec('they are those of the three newest releases, one definition a line without its texts', () => {
  for (const tag of ['v0.9.0', 'v0.10.0', 'v0.2.0', 'v1.0.0']) assert.is(keep(tag).stderr, '');
  assert.equal(readdirSync(folder).toSorted(), ['v0.10.0.ndjson', 'v0.9.0.ndjson', 'v1.0.0.ndjson']);
  const text = readFileSync(join(folder, 'v1.0.0.ndjson'), 'utf8');
  assert.equal(
    text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { readonly metadata: { readonly name: string } }).metadata.name)
      .toSorted(),
    kinds.map(({ plural }) => `${plural}.core.platform`).toSorted(),
  );
  assert.not.match(text, /"description":"/);
});

spec('what is no tag of a release is refused', () => {
  const { status, stderr } = keep('1.0.0');
  assert.equal([status, stderr], [2, '"1.0.0" is no tag such as v1.2.0\n']);
});

spec.run();

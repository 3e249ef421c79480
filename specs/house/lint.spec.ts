import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { root } from './sources.ts';

const spec = suite('lint');
const folder = mkdtempSync(join(tmpdir(), 'core-lint-'));
spec.after(() => rmSync(folder, { recursive: true, force: true }));

const calls = [
  "import { mkdirSync, promises } from 'node:fs';",
  "import * as files from 'node:fs/promises';",
  "mkdirSync('a', { recursive: true });",
  "void files.mkdir('a', { mode: 0o700, recursive: true });",
  "void promises.mkdir('a', { 'recursive': true });",
  "mkdirSync('a');",
  "mkdirSync('a', { mode: 0o700 });",
  "void files.rm('a', { recursive: true });",
];

spec('mkdir with recursive is refused in product code, and allowed in specs', () => {
  const config = JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8')) as object;
  const jsPlugins = [join(root, 'specs/house/lint/index.mjs')];
  writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify({ ...config, jsPlugins }));
  for (const part of ['runtime', 'specs']) {
    mkdirSync(join(folder, part));
    writeFileSync(join(folder, part, 'calls.ts'), `${calls.join('\n')}\n`);
  }
  const oxlint = join(root, 'node_modules/.bin/oxlint');
  const { stdout } = spawnSync(oxlint, ['--format', 'unix'], { cwd: folder, encoding: 'utf8' });
  const found = stdout.split('\n').filter((line) => line.includes('no-recursive-mkdir'));
  assert.equal(
    found.map((line) => /(\w+\/calls\.ts:\d+):/.exec(line)?.[1]),
    ['runtime/calls.ts:3', 'runtime/calls.ts:4', 'runtime/calls.ts:5'],
    stdout,
  );
});

const names = [
  'export const hindranceOf = 1;',
  'export interface Surroundings { readonly hindrance: string }',
  'export const read = ({ hindrance }: { hindrance: string }) => hindrance;',
  'export const call = (caughtUp: number) => caughtUp;',
  'export const blockerOf = 1;',
];

spec('a banned word in a name is refused with the word to write, and keys keep theirs', () => {
  const config = JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8')) as object;
  const jsPlugins = [join(root, 'specs/house/lint/index.mjs')];
  writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify({ ...config, jsPlugins }));
  mkdirSync(join(folder, 'rules'));
  writeFileSync(join(folder, 'rules', 'names.ts'), `${names.join('\n')}\n`);
  writeFileSync(join(folder, 'rules', 'turnstile.ts'), 'export const one = 1;\n');
  const oxlint = join(root, 'node_modules/.bin/oxlint');
  const { stdout } = spawnSync(oxlint, ['--format', 'unix', 'rules'], { cwd: folder, encoding: 'utf8' });
  const found = stdout.split('\n').filter((line) => line.includes('banned-words'));
  assert.equal(
    found
      .map((line) => /rules\/(.*?:\d+):\d+: (.*) \[/.exec(line)?.slice(1).join(' ') ?? '')
      .toSorted((a, b) => (a < b ? -1 : 1)),
    [
      'names.ts:1 "hindranceOf": write blocker',
      'names.ts:2 "Surroundings": write observed',
      'names.ts:4 "caughtUp": write syncHistory',
      'turnstile.ts:1 the file "turnstile": write waiters',
    ],
    stdout,
  );
});

spec.run();

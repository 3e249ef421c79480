import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { root } from '../support/product.ts';
import { suite } from '../support/suite.ts';

const spec = suite('the files of the image');
const base = mkdtempSync(join(tmpdir(), 'core-image-spec-'));
const tree = join(base, 'tree');
const mostBytes = 60_000_000;

interface Bill {
  readonly components: readonly { readonly name: string }[];
}

/** Runs a line that uses a module of `packaging/`. */
const running = (line: string) =>
  spawnSync(process.execPath, ['--input-type=module', '-e', line], { cwd: root, encoding: 'utf8' });
const written = (dir: string) =>
  running(`import { writeImage } from './packaging/image.mjs';
    const given = ${JSON.stringify({ root, dist: join(root, 'dist'), dir, processors: [process.arch] })};
    try { writeImage(given); } catch (error) { console.log(error.message); }`);
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => lstatSync(join(folder, name)).isFile());
const bill = (): Bill => JSON.parse(readFileSync(join(tree, 'sbom.cdx.json'), 'utf8')) as Bill;

spec.before(() => {
  assert.is(written(tree).stdout, '');
});
spec.after(() => rmSync(base, { recursive: true, force: true }));

spec('it is at most 60 MB, without maps and without code that another V8 kept', () => {
  const files = filesIn(tree);
  const bytes = files.reduce((sum, name) => sum + lstatSync(join(tree, name)).size, 0);
  assert.ok(bytes <= mostBytes, `${bytes} bytes`);
  assert.equal(
    files.filter((name) => /\.(?:map|code|d\.[cm]?ts)$/.test(name)),
    [],
  );
});

spec('it serves alone: no package is missing', async () => {
  const ports = ['port', 'kube-port', 'git-port', 'cloud-port', 'health-port', 'metrics-port'];
  const child = spawn(
    process.execPath,
    [
      join(tree, 'dist/core.js'),
      'start',
      '--data-dir',
      join(base, 'data'),
      ...ports.flatMap((one) => [`--${one}`, '0']),
    ],
    { cwd: '/', env: { PATH: process.env['PATH'] }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let said = '';
  child.stderr.on('data', (text) => void (said += String(text)));
  child.stdout.on('data', (text) => {
    said += String(text);
    if (/^ready$/m.test(said)) child.kill('SIGTERM');
  });
  const [code] = (await once(child, 'close')) as readonly unknown[];
  assert.is(code, 0, said);
});

spec('its bill of materials names what is in it, each with its terms, and nothing that only makes it', () => {
  const names = bill().components.map(({ name }) => name);
  assert.ok(names.includes('lmdb') && names.includes('koa') && names.includes('preact'));
  assert.not(names.includes('uvu') || names.includes('esbuild') || names.includes('typescript'));
  for (const name of ['koa', 'preact', 'effect']) assert.ok(existsSync(join(tree, 'licences', `${name}.txt`)), name);
  assert.ok(existsSync(join(tree, 'node_modules/lmdb/LICENSE')));
});

spec('a folder that holds something is refused, and stays as it is', () => {
  const before = filesIn(tree).length;
  assert.is(written(tree).stdout, `${tree} is not empty\n`);
  assert.is(filesIn(tree).length, before);
});

spec('packages of both processors are required beside the bundles, and of no other system', () => {
  const { stdout } = running(`import { readFileSync } from 'node:fs';
    import { requiredBy } from './packaging/packages.mjs';
    const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
    console.log(requiredBy(lock, ['lmdb', 'fs-native-extensions'], ['x64', 'arm64']).map(({ name }) => name).join(' '));`);
  const names = stdout.trim().split(' ');
  assert.equal(
    names.filter((name) => name.startsWith('@lmdb/')),
    ['@lmdb/lmdb-linux-arm64', '@lmdb/lmdb-linux-x64'],
  );
  assert.ok(names.includes('msgpackr') && names.includes('which-runtime'));
});

spec.run();

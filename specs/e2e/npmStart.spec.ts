import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transform } from 'esbuild';
import * as assert from 'uvu/assert';
import { lockDataDir } from '../../runtime/embedded/index.ts';
import { root } from '../support/product.ts';
import { isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';

const spec = suite('npm start');
const whole = unless(spec, isWhole ? null : 'a whole build beside dist is made by `npm run whole`');
const base = mkdtempSync(join(tmpdir(), 'core-start-'));
const tree = join(base, 'tree');
const parts = ['crds', 'machines', 'rules', 'runtime', 'http', 'specs/tables', 'package.json', 'tsconfig.json'];
const scripts = ['build.mjs', 'packaging', 'nodeVersion.cjs', 'start.cjs'];

/** A checkout of its own, whose builds disturb nobody. */
spec.before(() => {
  for (const name of [...parts, ...scripts]) cpSync(join(root, name), join(tree, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
});
spec.after(() => rmSync(base, { recursive: true, force: true }));
spec.before.each(() => {
  for (const name of built()) rmSync(join(tree, name), { recursive: true });
});

/** `dist`, and what stands beside it while it is made. */
const built = () => readdirSync(tree).filter((name) => name.startsWith('dist'));
const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  new Promise<{ readonly code: unknown; readonly said: string; readonly complaint: string }>((ended) =>
    execFile(
      process.execPath,
      [...args],
      { cwd: tree, env: { PATH: process.env['PATH'] ?? '', ...env } },
      (error, said, complaint) => ended({ code: error?.code ?? 0, said, complaint }),
    ),
  );

/** Runs a program as if by another Node. */
const underNode = (version: string, ...args: readonly string[]) => {
  const file = join(base, `node-${version}.cjs`);
  const versions = `{ ...process.versions, node: '${version}' }`;
  writeFileSync(file, `Object.defineProperty(process, 'versions', { value: ${versions} });`);
  return run(['--require', file, ...args]);
};

spec('an outdated Node is reported by every program, build and install script', async () => {
  const programs = [
    ['start.cjs'],
    ['build.mjs'],
    [join(root, 'dist/core.js'), 'help'],
    [join(root, 'dist/core'), 'help'],
  ];
  for (const program of programs)
    for (const version of ['18.20.8', '20.18.3', '8.0.0'])
      assert.equal(
        await underNode(version, ...program),
        { code: 2, said: '', complaint: `Core needs Node 20.19 or later, this is ${version}\n` },
        program.join(' '),
      );
  for (const version of ['20.19.0', '22.1.0', '100.0.0'])
    assert.is((await underNode(version, join(root, 'dist/core'), 'help')).code, 0, version);
  assert.equal(built(), []);
});

spec('files that an outdated Node reads use its syntax', async () => {
  // The compiler changes what is newer, or refuses it.
  const plain = async (text: string) => (await transform(text, { target: 'esnext' })).code;
  for (const name of ['start.cjs', 'nodeVersion.cjs']) {
    const text = readFileSync(join(root, name), 'utf8');
    assert.is((await transform(text, { target: 'es5' })).code, await plain(text), name);
  }
});

spec('a data directory in use is reported before the build', async () => {
  const dataDir = join(base, 'held');
  mkdirSync(dataDir);
  const unlock = await lockDataDir(dataDir);
  const inUse = new RegExp(
    `^${dataDir} is in use by process ${process.pid} on \\S+; stop it, or choose another --data-dir\n$`,
  );
  for (const args of [['--data-dir', dataDir], [`--data-dir=${dataDir}`, '--port', '0'], []]) {
    const { code, complaint } = await run(['start.cjs', ...args], { CORE_DATA_DIR: args.length === 0 ? dataDir : '' });
    assert.is(code, 2);
    assert.match(complaint, inUse);
    assert.equal(built(), []);
  }
  unlock();
});

spec('a failed build leaves only the former build', async () => {
  mkdirSync(join(tree, 'dist'));
  writeFileSync(join(tree, 'dist/core.js'), 'before');
  mkdirSync(join(tree, 'dist.2147483647'));
  const broken = join(tree, 'http/main.ts');
  const text = readFileSync(broken, 'utf8');
  writeFileSync(broken, `${text}\n}`);
  try {
    const { code, complaint } = await run(['build.mjs']);
    assert.is(code, 1, complaint);
    assert.equal(built(), ['dist'], 'what a killed build left is gone too');
    assert.equal(readdirSync(join(tree, 'dist')), ['core.js']);
  } finally {
    writeFileSync(broken, text);
  }
});

whole('the built files exist at every moment of a build, and two simultaneous builds succeed', async () => {
  const files = ['core.js', 'server.bundle.js', 'runners', 'access.json'];
  assert.is((await run(['build.mjs'])).code, 0);
  const builds = [1, 2].map(() => spawn(process.execPath, ['build.mjs'], { cwd: tree, stdio: 'ignore' }));
  let looked = 0;
  let missed = 0;
  const timer = setInterval(() => {
    looked += 1;
    if (!files.every((name) => existsSync(join(tree, 'dist', name)))) missed += 1;
  }, 1);
  const codes = await Promise.all(builds.map(async (child) => (await once(child, 'exit'))[0] as number));
  clearInterval(timer);
  assert.equal(codes, [0, 0]);
  assert.ok(looked > 1_000, `looked ${looked} times`);
  assert.ok(missed <= 2, `${missed} of ${looked} looks: each build may move one folder between two calls`);
  assert.equal(built(), ['dist']);
  assert.ok(existsSync(join(tree, 'dist/built')));
});

spec.run();

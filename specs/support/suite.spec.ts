import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { importsOf, root, sources } from '../house/sources.ts';
import { parseResults } from '../trace/results.ts';
import { suite } from './suite.ts';

const spec = suite('results of a run');
const folder = mkdtempSync(join(tmpdir(), 'core-suite-'));
const results = join(folder, 'results.ndjson');
spec.after(() => rmSync(folder, { recursive: true }));

/** Runs a spec of these lines; what it left behind, by title. */
function cameOf(body: string, env: NodeJS.ProcessEnv = { CORE_SPEC_RESULTS: results }) {
  const file = join(folder, 'one.spec.ts');
  rmSync(results, { force: true });
  writeFileSync(file, `import { suite } from '${root}specs/support/suite.ts';\n${body}\n`);
  const { CORE_SPEC_RESULTS: _, ...outer } = process.env;
  const { status, stdout } = spawnSync(process.execPath, ['--import', 'tsx', file], {
    cwd: root,
    env: { ...outer, ...env },
    encoding: 'utf8',
  });
  const text = existsSync(results) ? readFileSync(results, 'utf8') : '';
  return { status, stdout, came: Object.fromEntries(parseResults(text).map(({ title, came }) => [title, came])) };
}

const lives = `
const one = suite('one');
one('good', () => {});
one('bad', () => { throw new Error('x'); });
one('late', () => new Promise((done) => setTimeout(done, 5)));
one.skip('left out', () => {});
one.run();
const shared = suite('shared', { n: 0 });
shared.before((context) => { context.n = 1; });
shared.before.each((context) => { context.n += 1; });
shared('sees the hooks', ({ n }) => { if (n !== 2) throw new Error(String(n)); });
shared.after.each((context) => { context.n += 10; });
shared('sees them again', ({ n }) => { if (n !== 13) throw new Error(String(n)); });
shared.run();
for (const hook of ['before', 'each', 'after']) {
  const around = suite(hook);
  const fails = () => { throw new Error('x'); };
  if (hook === 'each') around.before.each(fails);
  else if (hook === 'after') around.after.each(fails);
  else around.before(fails);
  around(\`good but for \${hook}\`, () => {});
  around.run();
}`;

spec('every test records its result, and a failed hook fails its tests with the cause', () => {
  const { status, stdout, came } = cameOf(lives);
  assert.is(status, 1);
  assert.equal(came, {
    'left out': 'skipped',
    good: 'passed',
    bad: 'failed',
    late: 'passed',
    'sees the hooks': 'passed',
    'sees them again': 'passed',
    'good but for each': 'failed',
    'good but for after': 'began',
  });
  assert.match(stdout, 'a hook failed: Error: x');
});

spec('a process that dies in a test leaves the start of that test and all earlier results', () => {
  const body = `const one = suite('one'); one('good', () => {});
    one('deadly', () => process.kill(process.pid, 'SIGKILL')); one('never', () => {}); one.run();`;
  assert.equal(cameOf(body).came, { good: 'passed', deadly: 'began' });
});

spec('no results are written when none are requested', () => {
  const { status, came } = cameOf(`const one = suite('one'); one('good', () => {}); one.run();`, {});
  assert.equal([status, came], [0, {}]);
});

spec('a run replaces the results of its own files and of no others', () => {
  const line = (file: string, title: string) => `${JSON.stringify({ file, suite: 's', title, came: 'passed' })}\n`;
  const mine = 'specs/http/dashboard/filter.spec.ts';
  writeFileSync(results, `${line(mine, 'old')}${line('specs/http/dashboard/words.spec.ts', 'stays')}{"file":"sp`);
  const ran = spawnSync(process.execPath, ['specs/run.mjs', mine], {
    cwd: root,
    env: { ...process.env, CORE_SPEC_RESULTS: results },
    encoding: 'utf8',
  });
  const left = parseResults(readFileSync(results, 'utf8'));
  assert.match(ran.stdout, /^\d+ passed, 0 failed\n$/m);
  assert.match(ran.stdout, /^ +\d+\.\d s {2}specs\/http\/dashboard\/filter\.spec\.ts$/m);
  assert.equal(
    left.filter(({ file }) => file !== mine).map(({ title }) => title),
    ['stays'],
  );
  assert.ok(left.filter(({ file, came }) => file === mine && came === 'passed').length > 1);
  assert.not.ok(left.some(({ title }) => title === 'old'));
});

spec('only the suite of specs/support imports uvu', () => {
  const direct = sources.filter(
    (source) => importsOf(source).includes('uvu') && /\bimport\s+(?!type\b)[^;]*\bfrom 'uvu'/.test(source.code),
  );
  assert.equal(
    direct.map(({ path }) => path),
    ['specs/support/suite.ts'],
  );
});

spec.run();

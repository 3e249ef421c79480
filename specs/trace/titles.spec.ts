import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Ran } from '../support/suite.ts';
import { suite } from '../support/suite.ts';
import { idsIn, nearestIds, withoutIds } from './ids.ts';
import { readKept } from './keptTitles.ts';
import { parseResults } from './results.ts';
import { testsOf } from './tests.ts';
import { titlesIn } from './titles.ts';

const spec = suite('tests by their titles');
const file = 'specs/x.spec.ts';
const text = `import { suite } from '../support/suite.ts';
 const spec = suite<{ n: number }>('x');
const test = unless(spec, null);
const ids = 'BLD-001 ' + 'BLD-002';
spec('BLD-003 plain', () => {});
spec(\`\${ids} from a constant\`, () => {});
for (const name of ['a', 'b'])
  spec(\`BLD-004 \${name} is told\`, async () => {
    other('BLD-900 no test', () => {});
    assert.is('BLD-901', spec.name);
  });
test('BLD-005 with what may lack', () => {});
unless(spec, 'no such thing')('BLD-006 at once', () => {});
for (const [title, body] of cases) spec(title, body);
spec.skip('BLD-007 left out', () => {});
spec.before(() => {});
`;
const titles = titlesIn(text, file);

spec('tests are found in the source, with constants resolved and other calls ignored', () => {
  assert.equal(
    titles.map(({ line, ids }) => `${line} ${ids.join(' ')}`),
    ['5 BLD-003', '6 BLD-001 BLD-002', '8 BLD-004', '12 BLD-005', '13 BLD-006', '14 ', '15 BLD-007'],
  );
});

spec('tests are found in suites that a function creates or takes, and other calls of that name are ignored', () => {
  const inner = `function common(given: ReturnType<typeof unless>) { given('BLD-008 of both', () => {}); }
for (const engine of engines) {
  const each = unless(spec, lackOf(engine));
  each(\`BLD-009 of \${engine}\`, () => {});
}
const serving = (each: () => void) => each(pod, said);
`;
  assert.equal(
    titlesIn(inner, file).map(({ line, ids }) => `${line} ${ids.join(' ')}`),
    ['1 BLD-008', '4 BLD-009'],
  );
});

spec('a file is read once until its name, its text or the cache changes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'core-titles-'));
  const cache = join(folder, 'new/titles.json');
  const readTexts: string[] = [];
  const read = (...files: readonly (readonly [string, string])[]) =>
    readKept(
      files,
      (source, name) => {
        readTexts.push(source);
        return `${name}: ${source}`;
      },
      cache,
    );
  const [one, two] = [
    ['a', 'one'],
    ['b', 'two'],
  ] as const;
  assert.equal(read(one, two), ['a: one', 'b: two']);
  assert.equal(read(one, two), ['a: one', 'b: two']);
  assert.equal(readTexts.splice(0), ['one', 'two']);
  assert.equal(read(['a', 'changed'], ['c', 'two']), ['a: changed', 'c: two']);
  assert.equal(readTexts.splice(0), ['changed', 'two']);
  writeFileSync(cache, '{"cut');
  assert.equal(read(one), ['a: one']);
  assert.equal(readTexts, ['one']);
  rmSync(folder, { recursive: true });
});

const ran = (title: string, came: Ran['came'] = 'passed'): Ran => ({ file, suite: 'x', title, came });

spec('a finished test is matched to the most similar title in its source', () => {
  const results = [ran('BLD-004 a is told'), ran('BLD-004 b is told', 'failed'), ran('BLD-008 from a list')];
  const told = testsOf(titles, results).map(
    ({ line, title, came, ids }) => `${line} ${came} ${ids.join(' ')}: ${title}`,
  );
  assert.equal(told, [
    '5 not run BLD-003: plain',
    '6 not run BLD-001 BLD-002: from a constant',
    '8 passed BLD-004: a is told',
    '8 failed BLD-004: b is told',
    '12 not run BLD-005: with what may lack',
    '13 not run BLD-006: at once',
    '14 passed BLD-008: from a list',
    '15 not run BLD-007: left out',
  ]);
});

spec('a result is ignored when no test in the source has its title', () => {
  const short = titlesIn(text.replace(/^for .*cases.*$/m, ''), file);
  assert.not.ok(testsOf(short, [ran('BLD-008 from a list')]).some(({ came }) => came === 'passed'));
  assert.equal(testsOf([], [ran('BLD-003 plain')]), []);
});

spec('the last result of a test counts, and an incomplete line is ignored', () => {
  const lines = [ran('a', 'began'), ran('b', 'began'), ran('a', 'passed')].map((each) => JSON.stringify(each));
  assert.equal(
    parseResults(`${lines.join('\n')}\n{"file":"specs/x.sp\nnull\n7\n`).map(({ title, came }) => [title, came]),
    [
      ['a', 'passed'],
      ['b', 'began'],
    ],
  );
});

spec('earlier results of a file that runs again no longer count', () => {
  const again = { file, came: 'forgotten' };
  const lines = [ran('a'), { ...ran('a'), file: 'specs/y.spec.ts' }, again, ran('b')].map((each) =>
    JSON.stringify(each),
  );
  assert.equal(
    parseResults(lines.join('\n')).map((each) => `${each.file} ${each.title}`),
    ['specs/x.spec.ts b', 'specs/y.spec.ts a'],
  );
});

spec('ids are whole words of three digits with at most one letter', () => {
  assert.equal(idsIn('BLD-085 DB-206b BLD-085 XBLD-0851 aDB-001 BLD-12 UTF-8 SHA-256x-y'), ['BLD-085', 'DB-206b']);
  assert.is(withoutIds('BLD-085 DB-206b it works (BLD-001)'), 'it works (BLD-001)');
});

spec('the nearest ids are of the area most alike, and near in number', () => {
  const known = ['BLD-001', 'BLD-157', 'BLD-158', 'DB-157', 'DEV-024', 'DEV-024a'];
  assert.equal(nearestIds('BLD-159', known, 2), ['BLD-158', 'BLD-157']);
  assert.equal(nearestIds('bld 1', known, 1), ['BLD-001']);
  assert.equal(nearestIds('DBB-157', known, 1), ['DB-157']);
  assert.equal(nearestIds('DEV-24a', known, 2), ['DEV-024a', 'DEV-024']);
  assert.is(nearestIds('¿?', known, 3).length, 3);
});

spec.run();

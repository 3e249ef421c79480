import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { coverage } from './coverage.ts';
import { sampleProject, sampleTable } from './sample.ts';

const spec = suite('coverage');
const held = ['DOR-001', 'DOR-002', 'DOR-002a'];
const rowOf = (lines: readonly string[], area: string) =>
  lines.find((line) => line.startsWith(`${area} `))?.split(/ {2,}/);

spec('the coverage of an area counts requirements by test, by table only, and without proof', () => {
  const { lines, exit } = coverage(sampleProject(), held, {});
  assert.is(exit, 0);
  assert.equal(rowOf(lines, 'DOR'), ['DOR', '5', '1', '1', '3', 'DOR-003 DOR-004 DOR-005']);
  assert.equal(rowOf(lines, 'KEY'), ['KEY', '1', '0', '0', '1', 'KEY-001']);
  assert.equal(rowOf(lines, 'all'), ['all', '6', '1', '1', '4']);
});

spec('a requirement of several rows counts as proved by tables when all its rows are', () => {
  assert.equal(rowOf(coverage(sampleProject(), ['DOR-001', 'DOR-002'], {}).lines, 'DOR')?.slice(2, 5), ['1', '0', '4']);
});

spec('only a passed test proves a requirement', () => {
  const [one] = sampleProject().tests;
  assert.ok(one);
  for (const came of ['failed', 'skipped', 'began', 'not run'] as const) {
    const project = sampleProject(sampleTable, { tests: [{ ...one, came }] });
    assert.equal(rowOf(coverage(project, [], {}).lines, 'DOR')?.slice(2, 5), ['0', '0', '5'], came);
  }
});

spec('a test that only compares machines with their tables proves no more than the table does', () => {
  const [one] = sampleProject().tests;
  assert.ok(one);
  const project = sampleProject(sampleTable, { tests: [{ ...one, file: 'specs/check/lifecycles.spec.ts' }] });
  assert.equal(rowOf(coverage(project, ['DOR-001'], {}).lines, 'DOR')?.slice(2, 5), ['0', '1', '4']);
});

spec('an area lists its unproved requirements with their lines, and --all lists those of every area', () => {
  const some = coverage(sampleProject(), held, { area: 'key' }).lines;
  assert.ok(some.includes('KEY-001 (specs/requirements.tsv:7, unit) A key has a number.'), some.join('\n'));
  assert.not.match(some.join('\n'), /DOR/);
  const all = coverage(sampleProject(), held, { all: true }).lines;
  assert.equal(
    all.flatMap((line) => /^([A-Z]{3}-\d{3}) \(/.exec(line)?.[1] ?? []),
    ['DOR-003', 'DOR-004', 'DOR-005', 'KEY-001'],
  );
});

spec('the report names the sources of its numbers', () => {
  const last = (lines: readonly string[]) => lines.at(-1) ?? '';
  assert.match(
    last(coverage(sampleProject(), held, {}).lines),
    /1 test passed, 1 failed, 1 skipped, 0 not run.*3 rows/,
  );
  const unrun = sampleProject(sampleTable, { tests: [] });
  assert.match(last(coverage(unrun, held, {}).lines), /no test has run: `npm test` leaves/);
});

spec('an unknown area is refused with the list of areas', () => {
  for (const area of ['', 'DORR', 'DOR-001', '-'])
    assert.equal(coverage(sampleProject(), held, { area }), {
      lines: [`no area is called "${area}"; there are DOR, KEY`],
      exit: 2,
    });
});

spec('a test with an unknown id fails the report with its place and the nearest ids', () => {
  const [one] = sampleProject().tests;
  assert.ok(one);
  const { lines, exit } = coverage(sampleProject(sampleTable, { tests: [{ ...one, ids: ['DOR-900'] }] }), held, {});
  assert.is(exit, 1);
  assert.match(lines.at(-1) ?? '', /^specs\/door\.spec\.ts:3 names DOR-900, which is no id; near it: DOR-005/);
});

spec.run();

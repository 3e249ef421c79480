import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { makeRepository } from '../support/repository.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { sectionOf } from '../tables/sections.ts';
import { knownColumns } from './cells.ts';
import { compared, diff } from './diff.ts';
import { sampleFile, sampleProject, sampleTable } from './sample.ts';

const spec = suite('diff');
const tabled = (called: string, text?: string) => ({
  called,
  texts: new Map(text === undefined ? [] : [[sampleFile, text]]),
});

/** What is told when the door's table becomes another. */
const told = async (after: string, before = sampleTable) =>
  (await compared(tabled('abc1234', before), tabled('now', after), sampleProject())).lines;

/** The table with one text in it replaced. */
function changed(from: string, to: string): string {
  assert.ok(sampleTable.includes(from), from);
  return sampleTable.replace(from, to);
}

spec('a changed requeue is reported with its row, arrow, rules and tests', async () => {
  assert.equal(await told(changed('| 5s |', '| 15s |')), [
    '1 table changed since abc1234',
    '',
    'specs/tables/door.md has 1 change',
    'DOR-001 (specs/tables/door.md:7): Shut rung looks again after 15s instead of 5s',
    '  arrow  machines/door.ts:11 rung from Shut',
    '  rule   rules/door.ts:20 ringing: number 1 of 2 in Shut',
    '  rule   rules/door.ts:30 knocking: number 2 of 2 in Shut',
    '  test   specs/door.spec.ts:3 passed: a ring opens it',
  ]);
});

const row1 = '| DOR-001 | Shut | rung | somebody rings | Open | greet | lamp | 5s | 000 Doors; decision 2 | stated |\n';
const row2 = '| DOR-002 | Open | left | nobody is near | Shut | | | | 000 Doors | inferred |\n';
const texts: readonly (readonly [what: string, from: string, to: string, text: string])[] = [
  ['a look less', '| 5s |', '| |', 'DOR-001 (specs/tables/door.md:7): Shut rung never looks again instead of after 5s'],
  ['a look more', 'Shut | | | | 000', 'Shut | | | now | 000', 'Open left looks again at once instead of never'],
  ['a target', 'rings | Open', 'rings | Shut', 'Shut rung leads to Shut instead of Open'],
  ['an event', '| rung |', '| knocked |', 'Shut rung is called knocked instead of rung'],
  ['states', '| Shut | rung |', '| Shut, Open | rung |', 'Shut rung leads from Shut, Open instead of Shut'],
  ['a condition', 'nobody is near', 'all are in', 'Open left happens when all are in instead of nobody is near'],
  ['an action more', '| greet |', '| greet, bark |', 'Shut rung does greet, bark instead of greet'],
  ['the last action', '| greet |', '| |', 'Shut rung does nothing instead of greet'],
  ['an ensure', '| lamp |', '| lamp, mat |', 'Shut rung ensures lamp, mat instead of lamp'],
  ['a status', '| inferred |', '| ours |', 'Open left is ours instead of inferred'],
  ['a source', 'decision 9', 'decision 8', 'any kicked comes from decision 8 instead of decision 9'],
  [
    'a row gone',
    row2,
    '',
    'DOR-002 (specs/tables/door.md:8 at abc1234): gone: Open left happens when nobody is near; leads to',
  ],
  [
    'a row more',
    row1,
    `${row1}${row2.replace('DOR-002', 'DOR-001a').replace('left', 'lit')}`,
    'DOR-001a (specs/tables/door.md:8): new: Open lit',
  ],
  ['an id', 'DOR-002 ', 'DOR-001b ', 'DOR-001b (specs/tables/door.md:8): Open left was called DOR-002'],
  ['who asks', 'a visitor', 'a dog', 'specs/tables/door.md:15: kicked comes from a dog instead of a visitor'],
  ['a limit', '| 10s |', '| 11s |', 'specs/tables/door.md:21: the limit waitMs is 11s instead of 10s'],
  [
    'the order of rules',
    'ringing knocking',
    'knocking ringing',
    'Shut tries knocking before ringing, no longer after it',
  ],
  ['a rule more', '| empty |', '| empty lonely |', 'Open tries lonely, which it did not'],
  ['a rule less', 'ringing knocking', 'ringing', 'Shut tries knocking no more'],
  [
    'a message',
    '`stuck`',
    '`jammed`',
    'DOR-003 (specs/tables/door.md:40): Ready Stuck says `jammed` instead of `stuck`',
  ],
  ['a reason', '| Stuck |', '| Jammed |', 'Ready Stuck has the reason Jammed instead of Stuck'],
  ['words', '`ding`', '`dong`', 'specs/tables/door.md:34: the rule ringing says `dong` instead of `ding`'],
  ['an invariant', '| always |', '| never |', 'the invariant lampWhenOpen holds never instead of always'],
];
for (const [what, from, to, text] of texts)
  spec(`the comparison reports ${what}`, async () => {
    const lines = await told(changed(from, to));
    assert.is(lines[2], 'specs/tables/door.md has 1 change', lines.join('\n'));
    assert.ok(
      lines.some((line) => line.includes(text)),
      lines.join('\n'),
    );
  });

spec('every section that a table may have is compared', () => {
  assert.equal(
    Object.keys(sectionOf).filter((columns) => !knownColumns.includes(columns)),
    [],
  );
});

spec('verdicts checked in another order are reported', async () => {
  const [stuck = '', fine = ''] = sampleTable.match(/^\| DOR-00[34] .*\n/gm) ?? [];
  const lines = await told(changed(`${stuck}${fine}`, `${fine}${stuck}`));
  assert.ok(
    lines.includes('DOR-004 (specs/tables/door.md:40): Ready checks DOR-004 before DOR-003, no longer after it'),
  );
});

spec('everything affected by a change is listed with its place', async () => {
  const touched = async (from: string, to: string) =>
    (await told(changed(from, to))).filter((line) => /^ {2}\w/.test(line));
  assert.equal(await touched('a visitor', 'a dog'), ['  arrow  machines/door.ts:5 kicked from Shut, Open']);
  assert.equal(await touched('| kicked | a visitor |', '| rung | a visitor |'), [
    '  arrow  machines/door.ts:11 rung from Shut',
    '  rule   rules/door.ts:20 ringing: number 1 of 2 in Shut',
    '  rule   rules/door.ts:30 knocking: number 2 of 2 in Shut',
    '  arrow  machines/door.ts:5 kicked from Shut, Open',
  ]);
  assert.equal(await touched('ringing knocking', 'knocking ringing'), [
    '  rule   rules/door.ts:20 ringing',
    '  rule   rules/door.ts:30 knocking',
  ]);
  assert.equal(await touched('`ding`', '`dong`'), ['  rule   rules/door.ts:20 ringing']);
  assert.equal(await touched('`fine`', '`well`'), ['  rule   rules/doorReady.ts:8 row 2 of "Ready"']);
  assert.equal(await touched('| rung |', '| knocked |'), [
    '  arrow  machines/door.ts HAS NO ARROW knocked from Shut',
    '  arrow  machines/door.ts:11 rung from Shut',
    '  rule   rules/door.ts:20 ringing: number 1 of 2 in Shut',
    '  rule   rules/door.ts:30 knocking: number 2 of 2 in Shut',
    '  test   specs/door.spec.ts:3 passed: a ring opens it',
  ]);
});

spec('reordered rows and texts outside the tables are no change', async () => {
  const moved = await told(changed(`${row1}${row2}`, `${row2}${row1}`));
  assert.equal(moved.at(-1), 'specs/tables/door.md changed in words outside its tables only');
  assert.equal((await told(`${sampleTable}\nMore words.\n`)).slice(2), moved.slice(2));
  assert.equal(await told(sampleTable), ['the tables are what they were at abc1234']);
});

spec('an added or removed table is reported as a whole', async () => {
  const none = tabled('abc1234');
  const door = tabled('now', sampleTable);
  const summary = '3 arrows (DOR-001 DOR-002 DOR-002a) and 8 other rows';
  assert.is((await compared(none, door, sampleProject())).lines[2], `specs/tables/door.md is new: ${summary}`);
  assert.is((await compared(door, none, sampleProject())).lines[2], `specs/tables/door.md is gone: ${summary}`);
});

spec('a table that was malformed is compared as far as it can be read', async () => {
  const torn = sampleTable.replace(' | inferred |', '');
  assert.match((await told(sampleTable, torn)).join('\n'), /DOR-002 .*: Open left is inferred instead of nothing/);
  assert.match((await told('', sampleTable)).join('\n'), /has 11 changes/);
  await told('\u0000| id |', '|||\n| |');
});

const missing = spawnSync('git', ['--version']).status === 0 ? null : 'git is not installed';
const withGit = unless(spec, missing);
const repository = missing === null ? makeRepository() : null;
spec.after(() => repository?.clean());
const at = repository?.path ?? '';

withGit('the tables of a git revision are compared with those of the working tree', async () => {
  repository?.commit({ [sampleFile]: sampleTable });
  assert.match(
    (await diff('HEAD', sampleProject(), at)).lines.join('\n'),
    /^the tables are what they were at [0-9a-f]+$/,
  );
  writeFileSync(join(at, sampleFile), changed('| 5s |', '| 15s |'));
  const { lines, exit } = await diff('main', sampleProject(), at);
  assert.is(exit, 0);
  assert.match(lines.join('\n'), /since [0-9a-f]+\n[^]*DOR-001 .*after 15s instead of 5s/);
});

withGit('an invalid revision is refused in one line', async () => {
  for (const asked of ['nope', '', '--all', '--output=x', 'HEAD:specs', 'HEAD~9', 'a b', '$(x)'])
    assert.equal(await diff(asked, sampleProject(), at), { lines: [`git knows no revision "${asked}"`], exit: 2 });
});

withGit('a folder that is no repository is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'core-diff-'));
  assert.equal(await diff('HEAD', sampleProject(), folder), { lines: [`${folder} is no git repository`], exit: 2 });
  rmSync(folder, { recursive: true });
});

spec.run();

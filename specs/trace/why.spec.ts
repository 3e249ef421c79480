import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { readProject } from './project.ts';
import { sampleProject, sampleTable } from './sample.ts';
import { why } from './why.ts';

const spec = suite('why');

spec('a row is printed with its document, decision, arrow, rules and tests, each with its place', async () => {
  const { lines, exit } = await why('DOR-001', sampleProject());
  assert.is(exit, 0);
  assert.equal(lines, [
    'DOR-001 A ring opens the door.',
    '  requirement specs/requirements.tsv:2 transition, to be checked by unit',
    '  document    document 000, line 12, "Doors"',
    '  decision    2 (specs/decisions.tsv:2) Who greets. Decided: the lamp.',
    '  row         specs/tables/door.md:7 Shut rung → Open when somebody rings; does greet; ensures lamp; looks again after 5s; stated (000 Doors; decision 2)',
    '  arrow       machines/door.ts:11 rung from Shut',
    '  rule        rules/door.ts:20 ringing: number 1 of 2 in Shut',
    '  rule        rules/door.ts:30 knocking: number 2 of 2 in Shut',
    '  test        specs/door.spec.ts:3 passed: a ring opens it',
  ]);
});

/** The lines behind one label. */
const told = async (id: string, label: string, project = sampleProject()) =>
  (await why(id, project)).lines
    .filter((line) => line.startsWith(`  ${label.padEnd(11)} `))
    .map((line) => line.slice(14));

spec('a row without a requirement is printed with the nearest requirement and the sender of its event', async () => {
  assert.equal(await told('DOR-002a', 'near'), ['DOR-002 An empty door shuts.']);
  assert.equal(await told('DOR-002a', 'comes from'), ['a visitor (specs/tables/door.md:15); no rule yields kicked']);
  assert.equal(await told('DOR-002a', 'decision'), ['9, which stands not in specs/decisions.tsv']);
  assert.equal(await told('DOR-002a', 'test'), ['none names it']);
  assert.equal(await told('DOR-002a', 'source'), []);
});

spec('a requirement includes its rows with a letter, each by its id', async () => {
  assert.equal(
    (await told('DOR-002', 'row')).map((line) => line.split(' ').slice(0, 2).join(' ')),
    ['specs/tables/door.md:8 Open', 'specs/tables/door.md:9 DOR-002a:'],
  );
  assert.is((await told('DOR-002', 'arrow')).length, 2);
});

spec('arrows on one line of the machine are printed together', async () => {
  assert.equal(await told('DOR-002a', 'arrow'), ['machines/door.ts:5 kicked from Shut, Open']);
});

spec('a verdict is printed with its place in the order checked', async () => {
  assert.equal(await told('DOR-004', 'verdict'), ['rules/doorReady.ts:8 row 2 of "Ready"']);
});

spec('an id of both an arrow and a verdict is printed as both', async () => {
  const both = sampleProject(sampleTable.replace('| DOR-004 | Fine |', '| DOR-001 | Fine |'));
  assert.equal(
    (await told('DOR-001', 'row', both)).map((line) => line.split(' ')[0]),
    ['specs/tables/door.md:7', 'specs/tables/door.md:41'],
  );
  assert.equal(await told('DOR-001', 'arrow', both), ['machines/door.ts:11 rung from Shut']);
  assert.equal(await told('DOR-001', 'verdict', both), ['rules/doorReady.ts:8 row 2 of "Ready"']);
});

spec('only the decision in a note is printed as a source', async () => {
  assert.match((await told('DOR-003', 'requirement')).join(), /; how is not told; decision 2$/);
  assert.equal(await told('DOR-003', 'decision'), ['2 (specs/decisions.tsv:2) Who greets. Decided: the lamp.']);
  assert.equal(await told('DOR-003', 'source'), []);
});

spec('a failed test is printed as failed', async () => {
  assert.equal(await told('DOR-002', 'test'), ['specs/door.spec.ts:9 FAILED: it shuts']);
});

spec('a missing arrow, rule, row or lifecycle is printed as missing', async () => {
  const other = sampleProject(sampleTable.replace('| Shut | rung |', '| Shut | knocked |'));
  assert.equal(await told('DOR-001', 'arrow', other), ['machines/door.ts HAS NO ARROW knocked from Shut']);
  assert.equal(await told('DOR-001', 'rule', other), ['none in rules/door.ts yields knocked in Shut']);
  assert.equal(await told('DOR-005', 'row'), ['none: no table has this id']);
  const without = sampleProject(sampleTable, { lifecycle: (name) => Promise.resolve(`there is no ${name}`) });
  assert.equal(await told('DOR-001', 'machine', without), ['there is no door']);
});

spec('an unknown id is refused with the nearest', async () => {
  assert.equal(await why('DOR-009', sampleProject()), {
    lines: ['"DOR-009" is no id; near it: DOR-005, DOR-004, DOR-003, DOR-002'],
    exit: 2,
  });
  for (const asked of ['', 'x', 'DOR', '--help', '../etc', 'dor_1', '\u0000'])
    assert.is((await why(asked, sampleProject())).exit, 2, JSON.stringify(asked));
});

spec('an id in lower case is accepted', async () => assert.is((await why('dor-001', sampleProject())).exit, 0));

spec('the build lifecycle is explained from its own files', async () => {
  const text = (await why('BLD-157', readProject())).lines.join('\n');
  assert.match(text, /^BLD-157 Build: from WaitingForCI/);
  assert.match(text, /document 000, line 184, "CoreBuild phases"/);
  assert.match(text, /row +specs\/tables\/build\.md:\d+ WaitingForCI checkFailed → FailedBeforeJob/);
  assert.match(text, /arrow +machines\/build\.ts:\d+ checkFailed from WaitingForCI/);
  assert.match(text, /rule +rules\/build\/events\.ts:\d+ check-failed: number \d+ of \d+ in WaitingForCI/);
  assert.match(text, /test +specs\/e2e\/builds\.spec\.ts:\d+ /);
});

spec.run();

import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { unknownIds } from './coverage.ts';
import { readProject } from './project.ts';
import { sampleProject, sampleTable } from './sample.ts';
import { citations, strayIn } from './stray.ts';

const spec = suite('ids');
const project = readProject();
const { requirements, rows, tests } = project;

spec('every table can be read', () => assert.equal(project.faults, []));

spec('no test names an unknown id', () => {
  assert.ok(tests.length > 300 && tests.filter(({ ids }) => ids.length > 0).length > 150, 'the titles were not read');
  assert.equal(unknownIds(project), []);
});

spec('a title with an unknown id is found', () => {
  const [one] = sampleProject().tests;
  assert.ok(one);
  assert.match(
    unknownIds({ requirements, rows, tests: [{ ...one, ids: ['BLD-157', 'BLD-957'] }] }).join('\n'),
    /^specs\/door\.spec\.ts:3 names BLD-957, which is no id; near it: BLD-/,
  );
});

spec('every table row has a requirement, every transition has a row, and every cited source exists', () => {
  assert.ok(citations(project).length > 2_000, 'the sources were not read');
  assert.equal(strayIn(project), []);
});

const stray = (table: string) => strayIn(sampleProject(table)).filter((line) => line.startsWith('specs/tables'));

spec('a row without a requirement is reported with its line', () =>
  assert.equal(stray(sampleTable.replace('| DOR-002a |', '| DOR-902 |').replace('decision 9', 'decision 2')), [
    'specs/tables/door.md:9: DOR-902 is of no requirement of specs/requirements.tsv',
  ]),
);

spec('a transition without a row is reported', () =>
  assert.ok(strayIn(sampleProject()).includes('specs/requirements.tsv:6: DOR-005 has no row: A storm opens the door.')),
);

spec('an unknown heading or decision as a source is reported with its line', () => {
  assert.equal(stray(sampleTable), [
    'specs/tables/door.md:9: DOR-002a cites decision 9, which stands not in specs/decisions.tsv',
  ]);
  assert.equal(stray(sampleTable.replaceAll('decision 9', 'decision 2').replace('000 Limits', '000 Latches')), [
    'specs/tables/door.md:21: waitMs cites document 000, "Latches", which is no heading of specs/documents.tsv',
  ]);
});

spec.run();

import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { unknownIds } from './coverage.ts';
import { citedIn, citedText } from './documents.ts';
import { baseOf } from './ids.ts';
import { readProject } from './project.ts';
import { doorProject } from './sample.ts';

const spec = suite('ids');
const project = readProject();
const { requirements, rows, tables, sections, decisions, tests } = project;

spec('every table can be read', () => assert.equal(project.faults, []));

spec('no test names an unknown id', () => {
  assert.ok(tests.length > 300 && tests.filter(({ ids }) => ids.length > 0).length > 150, 'the titles were not read');
  assert.equal(unknownIds(project), []);
});

spec('a title with an unknown id is found', () => {
  const [one] = doorProject().tests;
  assert.ok(one);
  assert.match(
    unknownIds({ requirements, rows, tests: [{ ...one, ids: ['BLD-157', 'BLD-957'] }] }).join('\n'),
    /^specs\/door\.spec\.ts:3 names BLD-957, which is no id; near it: BLD-/,
  );
});

spec('every row of a table is of a requirement, by its id or by its id with a letter', () => {
  const strange = [...rows.values()].filter(({ id }) => !requirements.has(baseOf(id)));
  assert.equal(
    strange.map(({ at, id }) => `${at} ${id} is of no requirement`),
    [],
  );
});

spec('every transition that is asked for has a row', () => {
  const written = new Set([...rows.keys()].map(baseOf));
  const missing = [...requirements.values()].filter(({ kind, id }) => kind === 'transition' && !written.has(id));
  assert.equal(
    missing.map(({ id, requirement }) => `${id} has no row: ${requirement}`),
    [],
  );
});

spec('every source names a heading and a decision that are there', () => {
  const cited = [
    ...[...requirements.values()].map(({ id, source, note }) => ({ at: id, source: `${source}; ${note}` })),
    ...[...rows.values()].map(({ at, id, row }) => ({ at: `${at} ${id}`, source: row.source })),
    ...tables.flatMap(({ file, limits, invariants }) =>
      [...limits, ...invariants].map(({ line, name, source }) => ({ at: `${file}:${line} ${name}`, source })),
    ),
  ].flatMap(({ at, source }) => citedIn(source, sections).map((each) => ({ at, each })));
  assert.ok(cited.length > 2_000, 'the sources were not read');
  const astray = cited.flatMap(({ at, each }) => {
    if (each.is === 'section' && each.section === null) return [`${at}: ${citedText(each)}`];
    return each.is === 'decision' && !decisions.has(each.number) ? [`${at}: there is no decision ${each.number}`] : [];
  });
  assert.equal(astray, []);
});

spec.run();

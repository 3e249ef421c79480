import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { citedIn, citedText, parseSections } from './documents.ts';
import { parseDecisions, parseRequirements } from './requirements.ts';

const spec = suite('the sheets of requirements, decisions and headings');

const head = 'id\tarea\tsource\tkind\trequirement\thow_to_check\tnote\n';
const good = 'BLD-001\tBLD\t1 / CoreBuild\tfield\tA build is there.\tunit\t\n';

spec('a requirement is read with its line', () => {
  const [only] = parseRequirements(`${head}${good}`);
  assert.is(only?.id, 'BLD-001');
  assert.is(only?.requirement, 'A build is there.');
  assert.is(only?.inLine, 2);
});

const broken: readonly (readonly [string, string, RegExp])[] = [
  ['other columns', `id\tarea\n${good}`, /^r\.tsv:1: the columns are "id\tarea", not "id area source kind/],
  ['a cell too few', `${head}BLD-001\tBLD\n`, /^r\.tsv:2: 2 cells instead of 7$/],
  ['an empty line', `${head}${good}\n${good.replace('001', '002')}`, /^r\.tsv:3: 1 cells instead of 7$/],
  ['an id that is none', `${head}${good.replace('BLD-001', 'BLD-1')}`, /^r\.tsv:2: "BLD-1" is not an id such as/],
  ['an id of another area', `${head}${good.replace('\tBLD\t', '\tDEP\t')}`, /BLD-001 is not of the area "DEP"/],
  ['no text', `${head}${good.replace('A build is there.', '')}`, /^r\.tsv:2: BLD-001: requirement is empty$/],
  ['an id thrice', `${head}${good}${good}${good}`, /^r\.tsv:3: .*\nr\.tsv:4: "BLD-001" stands in line 2 already$/],
];
for (const [what, text, message] of broken)
  spec(`requirements with ${what} are refused with the line`, () => {
    assert.throws(() => parseRequirements(text, 'r.tsv'), message);
  });

spec('every fault of a sheet is reported, not only the first', () => {
  const text = `${head}${good.replace('unit', '')}${good}`;
  assert.throws(() => parseRequirements(text, 'r.tsv'), /r\.tsv:2: .*\n.*r\.tsv:3: /);
});

spec('decisions and headings are refused in the same words', () => {
  assert.throws(() => parseDecisions('number\topen\tdecided\nx\ty\t\n', 'd.tsv'), /d\.tsv:2: "x" is not a number/);
  const headings = 'document\tline\tlevel\ttitle\n';
  assert.throws(() => parseSections(`${headings}7\t0\t9\t\n`, 'h.tsv'), /"7" is not a document[^]*"0" is not a line/);
});

const sections = parseSections(
  [
    'document\tline\tlevel\ttitle',
    '000\t1\t1\tBuilds',
    '000\t10\t3\tCoreBuild',
    '000\t20\t4\tStatus',
    '000\t30\t4\tBuild execution rules',
    '000\t35\t3\tCoreConsole',
    '000\t40\t3\tCoreDeployment',
    '000\t50\t4\tStatus',
    '000\t60\t3\tCoreBuild phases',
    '001\t5\t3\tEvents',
    '001\t7\t3\tCoreProject',
    '001\t9\t5\tsharedVariables[]',
    '002\t7\t3\tIdentity (GET /me)',
  ].join('\n'),
);
const lineOf = (source: string) =>
  citedIn(source, sections).map((cited) =>
    cited.is === 'section'
      ? (cited.section?.line ?? 'no heading')
      : cited.is === 'decision'
        ? cited.number
        : cited.words,
  );

const sources: readonly (readonly [string, readonly (string | number)[]])[] = [
  ['1 / CoreBuild phases', [60]],
  ['000 CoreBuild phases', [60]],
  ['1 / CoreDeployment > Status', [50]],
  ['1 / CoreBuild > Status', [20]],
  ['1 / CoreBuild phases, last sentence (inferred)', [60]],
  ['1 / Build execution rules 7-8', [30]],
  ['1 / CoreBuild Status', [20]],
  ['000 CoreDeployment Status', [50]],
  ['000 CoreConsole status (state inferred)', [35]],
  ['1 / CoreBuild > A paragraph without a name', ['no heading']],
  ['1 / CoreConsole > Status', ['no heading']],
  ['1 / CoreBuild stages', ['no heading']],
  ['3 / Identity (GET /me)', [7]],
  ['2 / CoreProject > sharedVariables', [9]],
  ['2 / Events; 1 / CoreBuild', [5, 10]],
  ['000 CoreBuild phases; decision 44', [60, '44']],
  ['001 Events (decision 9 told so)', [5, '9']],
  ['decision 39', ['39']],
  ['2 / CoreBuild', ['no heading']],
  ['inferred from BLD-147', ['inferred from BLD-147']],
];
for (const [source, lines] of sources)
  spec(`a source such as "${source}" names its places`, () => assert.equal(lineOf(source), lines));

spec('a place is printed with document, line and heading', () => {
  const [cited] = citedIn('1 / CoreBuild > Status', sections);
  assert.is(cited?.is === 'section' ? citedText(cited) : '', 'document 000, line 20, "Status" (CoreBuild > Status)');
});

spec.run();

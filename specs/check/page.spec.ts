import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { parseTable } from '../tables/parse.ts';
import type { Outcome } from './outcome.ts';
import { page } from './page.ts';
import { figuresOf, percent, totalOf } from './page/figures.ts';

const spec = suite('the report page');

const arrows =
  '| id | from | event | when | to | does | ensures | look | source | status |\n|---|---|---|---|---|---|---|---|---|---|';
const lamp = parseTable(
  `# Lamp

## Arrows

${arrows}
| LMP-001 | Off | switched | \`mains\` is <on> & stable | On | light | lit | 5s | 000 Lamps | stated |
| LMP-002 | On | switched | it is dark | Off | | unlit | | 000 Lamps; decision 7 | inferred |
| LMP-003 | any | smashed | somebody fell | Broken | | | | ours | ours |

## Absence

${arrows}
| LMP-004 | (none) | bought | it was paid | Off | | unlit | | 000 Lamps | stated |

## Limits

| limit | value | source |
|---|---|---|
| warmUpMs | 90s | 000 Lamps |

## Order

| state | rules in order |
|---|---|
| Off | came-on fell |

## Words

| rule | says | source |
|---|---|---|
| fell | \`it fell on <place>\` | 000 Lamps |

## Glow

| id | reason | status | when | message | source |
|---|---|---|---|---|---|
| LMP-010 | Glowing | True | it is on | \`glows at <watts> W\` | 000 Lamps |

## Invariants

| invariant | kind | what holds | source |
|---|---|---|---|
| neverBurns | never | it burns | 000 Lamps |
`,
  'specs/tables/lamp.md',
);

const fine: Outcome = {
  name: 'lamp',
  provisional: false,
  table: lamp,
  places: { arrows: { 'Off switched': 'machines/lamp.ts:12' }, rules: { 'came-on': 'rules/lamp.ts:9' } },
  initial: 'Off',
  faults: [],
  coverage: {
    rows: { 'LMP-001': 1234, 'LMP-002': 7, 'LMP-003': 2, 'LMP-004': 1 },
    rules: { 'came-on': 5, fell: 6 },
    verdicts: { 'LMP-010': 8 },
  },
  searched: { worlds: 4321, steps: 9876, exhaustive: true, invariants: { neverBurns: 4321 } },
  seed: 42,
  mutants: [{ text: 'arrow Off switched removed', at: 'machines/lamp.ts:12', caughtBy: 'conformance' }],
  unproven: [],
  ms: 1234,
};
const run = { at: '2030-01-02T03:04:05Z', version: '9.9.9' };
const shown = (outcome: Partial<Outcome>, ...others: readonly Outcome[]) =>
  page([{ ...fine, ...outcome }, ...others], run);
/** The markup of one row of the lifecycle's table. */
const rowIn = (html: string, id: string) => new RegExp(`<tr id="${id}"[^]*?</tr>`).exec(html)?.[0] ?? '';
/** The visible text of some markup. */
const read = (markup: string) =>
  markup
    .replace(/<(style|script)>[^]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

spec('a page of a passed run shows the result, the time and the source', () => {
  const html = shown({});
  assert.match(read(html), /Every machine is its table\./);
  assert.match(html, /class="result result-fine"/);
  assert.match(html, /<time datetime="2030-01-02T03:04:05Z">/);
  assert.match(read(html), /Core 9\.9\.9, 1 lifecycle/);
  assert.not.match(read(html), /never taken [^A-Z]*<|survived|fault in/);
});

spec('all texts of tables and faults are escaped', () => {
  const evil = `<script>alert('x')</script><img src=x onerror="y">&`;
  const html = page(
    [
      {
        ...fine,
        faults: [
          { check: 'walks', at: [evil], text: evil },
          { check: 'walks', at: [], text: `${evil}\n${evil}` },
        ],
        mutants: [{ text: evil, at: evil, caughtBy: null }],
        coverage: { ...fine.coverage, rules: { [evil]: 1 } },
        initial: evil,
        table: {
          ...lamp,
          rows: lamp.rows.map((row) => ({ ...row, when: evil, source: evil, look: evil })),
          rests: [{ state: 'Off', until: evil, line: 1 }],
          lens: [{ stored: evil, readAs: 'Off', line: 1 }],
          asked: [{ command: 'switch', by: evil, line: 1 }],
          words: [{ rule: evil, says: evil, source: evil, line: 1 }],
          limits: [{ name: evil, value: 1, source: evil, line: 1 }],
          order: [{ state: evil, rules: [evil], line: 1 }],
          invariants: [{ name: evil, kind: evil, holds: evil, source: evil, line: 1 }],
          verdicts: [
            {
              name: evil,
              rows: [
                {
                  id: evil,
                  reason: evil,
                  status: evil,
                  when: evil,
                  message: evil,
                  counts: evil,
                  cause: evil,
                  source: evil,
                  line: 1,
                },
              ],
            },
          ],
        },
      },
    ],
    { at: evil, version: evil },
  );
  assert.not.match(html, /<img|alert\('x'\)|onerror="/);
  assert.is(html.match(/<script>/g)?.length, 1);
  assert.ok((html.match(/&lt;script&gt;/g)?.length ?? 0) > 25);
});

spec('words between backticks become code elements', () => {
  assert.match(rowIn(shown({}), 'LMP-001'), /<code>mains<\/code> is &lt;on&gt; &amp; stable/);
});

spec('a fault is shown first, with its check, its places and its text', () => {
  const html = shown({
    faults: [
      { check: 'conformance', at: ['specs/tables/lamp.md:8', 'machines/lamp.ts:12'], text: 'goes to On, not Off' },
    ],
  });
  assert.match(read(html), /✕ 1 fault in 1 lifecycle\./);
  assert.match(read(html), /conformance specs\/tables\/lamp\.md:8 machines\/lamp\.ts:12 goes to On, not Off/);
  assert.match(html, /<a href="#LMP-002"><code>specs\/tables\/lamp\.md:8<\/code><\/a>/);
  assert.ok(html.indexOf('goes to On, not Off') < html.indexOf('<svg'));
});

spec('a counterexample keeps its lines', () => {
  const html = shown({ faults: [{ check: 'walks', at: ['a:1'], text: 'step  state\n0     Off' }] });
  assert.match(html, /<pre[^>]*>step {2}state\n0 {5}Off<\/pre>/);
});

spec('each row of a page is an anchor with its line, its status and its number of walks', () => {
  const row = rowIn(shown({}), 'LMP-001');
  assert.match(row, /<a href="#LMP-001">/);
  assert.match(read(row), /LMP-001 lamp\.md :7 Off switched/);
  assert.match(row, /data-status="stated"[^]*chip-stated/);
  assert.match(read(row), /1,234 $/);
  assert.match(rowIn(shown({}), 'LMP-002'), /data-status="inferred"[^]*chip-inferred/);
  assert.match(rowIn(shown({}), 'LMP-003'), /data-status="ours"[^]*chip-ours/);
  assert.match(read(rowIn(shown({}), 'LMP-004')), /nothing bought/);
});

spec('a row never taken is highlighted in its table and in the overview', () => {
  const html = shown({ coverage: { ...fine.coverage, rows: { 'LMP-001': 3, 'LMP-002': 0, 'LMP-004': 1 } } });
  for (const id of ['LMP-002', 'LMP-003']) {
    assert.match(rowIn(html, id), /class="row row-never"/);
    assert.match(read(rowIn(html, id)), /never taken/);
  }
  assert.not.match(rowIn(html, 'LMP-001'), /never/);
  assert.match(read(html), /lamp ✓ none 2 of 4 /);
});

spec('a survivor is listed with its place, and the score is never 100 % while one exists', () => {
  const caught = Array.from({ length: 400 }, () => ({
    text: 'arrow removed',
    at: 'machines/lamp.ts:1',
    caughtBy: 'walks' as const,
  }));
  const html = shown({
    mutants: [...caught, { text: 'limit warmUpMs 90000 is 90001', at: 'rules/lamp.ts:9', caughtBy: null }],
  });
  assert.match(html, /class="result result-doubt"/);
  assert.match(read(html), /1 mutant survived/);
  assert.match(read(html), /lamp 1 survivor ✓ no fault/);
  assert.match(read(html), /rules\/lamp\.ts:9 limit warmUpMs 90000 is 90001/);
  assert.match(read(html), /99 % of 401 mutants caught\. walks 400/);
  assert.not.match(read(html), /100 %/);
});

spec('a check that did not run is shown as not run, not as passed', () => {
  const html = read(shown({ mutants: null, searched: null }));
  assert.match(html, /Mutation was not run\./);
  assert.match(read(shown({ mutants: null }, { ...fine, name: 'other' })), /Mutation was not run for 1 lifecycle\./);
  assert.match(html, /not searched/);
  assert.match(html, /neverBurns never it burns 000 Lamps not checked/);
});

spec('rules, verdicts, limits and invariants are listed with their coverage', () => {
  const html = read(shown({ coverage: { ...fine.coverage, rules: { 'came-on': 5, fell: 0 } } }));
  assert.match(html, /Off came-on 5 fell never held/);
  assert.match(html, /came-on rules\/lamp\.ts:9 5/);
  assert.match(html, /LMP-010 Glowing True it is on glows at &lt;watts&gt; W 000 Lamps 8/);
  assert.match(html, /fell it fell on &lt;place&gt; 000 Lamps/);
  assert.match(html, /warmUpMs 1 min 30 s 000 Lamps/);
  assert.match(html, /neverBurns never it burns 000 Lamps 4,321/);
});

spec('an incomplete search is marked, also in the totals', () => {
  const cut = { worlds: 10, steps: 20, exhaustive: false, invariants: { neverBurns: 10 } };
  assert.match(read(shown({ searched: cut })), /10 cut off/);
  const total = totalOf([figuresOf(fine), figuresOf({ ...fine, searched: cut, mutants: null })]);
  assert.equal([total.worlds, total.exhaustive, total.mutants], [4331, false, { met: 1, of: 1 }]);
  assert.equal([total.rows, total.stated, total.arrows], [{ met: 8, of: 8 }, 4, 12]);
  assert.is(percent({ met: 999, of: 1000 }), '99 %');
});

spec('every id is unique, and every link within the page has a target', () => {
  const build = parseTable(
    readFileSync(new URL('../tables/build.md', import.meta.url), 'utf8'),
    'specs/tables/build.md',
  );
  const html = shown({}, { ...fine, name: 'build', table: build });
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  assert.equal(
    ids.filter((id, at) => ids.indexOf(id) !== at),
    [],
  );
  const links = [...html.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
  assert.ok(links.length > 40);
  assert.equal(
    links.filter((id) => !ids.includes(id)),
    [],
  );
});

spec('the page loads nothing from outside and its policy allows only its own content', () => {
  const html = shown({});
  assert.match(
    html,
    /content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; script-src &#39;sha256-[\w+/]+=*&#39;/,
  );
  assert.not.match(html, /<link|<img|<iframe|@import|url\((?!#)|https?:/);
});

spec('two runs with equal results have equal pages', () => {
  assert.is(shown({}), shown({}));
});

spec.run();

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { markOf } from '../../http/dashboard/diagram/marks.ts';
import { commonWays } from '../../http/dashboard/diagram/ways.ts';
import { hasLook } from '../../http/dashboard/model/state.ts';
import { suite } from '../support/suite.ts';
import type { Row } from '../../machines/table.ts';
import { fromOf, type Parsed, parseTable, statesOf } from '../tables/parse.ts';
import { staleDiagrams, wantedDiagrams, writeDiagrams } from './files.ts';
import { mermaidOf } from './mermaid.ts';
import { pictured } from './pictured.ts';
import { placeInPage } from './place.ts';
import { pictureStyle } from './style.ts';
import { svgOf } from './svg.ts';

const spec = suite('the diagrams of the machines');

const folder = new URL('../tables/', import.meta.url);
const head =
  '| id | from | event | when | to | does | ensures | look | source | status |\n|---|---|---|---|---|---|---|---|---|---|';
const rowText = (id: string, from: string, event: string, to: string) =>
  `| ${id} | ${from} | ${event} | it happened | ${to} | | | | 000 Somewhere | stated |`;
const tableOf = (rows: readonly string[], more = ''): Parsed =>
  parseTable(`# Lamp\n\n${head}\n${rows.join('\n')}\n\n${more}`, 'specs/tables/lamp.md');

const row = (from: readonly string[], event: string, to: string): Row => ({
  id: 'LMP-001',
  from,
  event,
  when: 'it happened',
  to,
  does: [],
  ensures: [],
  look: '',
  source: '000 Somewhere',
  status: 'stated',
  line: 1,
});

const lamp = tableOf(
  [
    rowText('LMP-001', 'Off', 'switched', 'On'),
    rowText('LMP-002', 'On', 'switched', 'Off'),
    rowText('LMP-003', 'On', 'dimmed', 'same'),
    rowText('LMP-004', 'any', 'smashed', 'Broken'),
  ],
  `## Absence\n\n${head}\n${rowText('LMP-005', '(none)', 'bought', 'Off')}\n${rowText('LMP-006', 'Broken', 'thrownAway', '(deleted)')}\n${rowText('LMP-007', '(none)', 'soldOut', '(none)')}\n`,
);
const tables: readonly Parsed[] = readdirSync(folder)
  .filter((name) => name.endsWith('.md'))
  .map((name) => parseTable(readFileSync(new URL(name, folder), 'utf8'), `specs/tables/${name}`));

/** A root with one table and its diagrams, for a spec to spoil. */
function spoiled(spoil: (root: string) => void): readonly string[] {
  const root = mkdtempSync(join(tmpdir(), 'diagrams-'));
  try {
    cpSync(new URL('build.md', folder), join(root, 'specs/tables/build.md'), { recursive: true });
    writeDiagrams(root);
    assert.equal(staleDiagrams(root), []);
    spoil(root);
    return staleDiagrams(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

spec('every diagram equals its table', () => {
  assert.ok(wantedDiagrams().files.size >= 2);
  assert.equal(staleDiagrams(), []);
});

spec('a missing, changed or surplus diagram is reported with its table', () => {
  const one = (spoil: (root: string) => void) => spoiled(spoil).join('\n');
  const svg = 'machines/diagrams/build.svg';
  assert.match(
    one((root) => rmSync(join(root, svg))),
    /^machines\/diagrams\/build\.svg: is missing, specs\/tables\/build\.md/,
  );
  assert.match(
    one((root) => writeFileSync(join(root, svg), '')),
    /^machines\/diagrams\/build\.svg: is not what .*build\.md says/,
  );
  assert.match(
    one((root) => writeFileSync(join(root, 'machines/diagrams/gone.mmd'), '')),
    /^machines\/diagrams\/gone\.mmd: is left over, there is no specs\/tables\/gone\.md/,
  );
});

spec('a table that cannot be read is reported with its line, and its old diagram is kept', () => {
  const found = spoiled((root) => {
    writeFileSync(join(root, 'specs/tables/build.md'), `${head}\n${rowText('BLD-1', 'Pending', 'begun', 'Running')}\n`);
    assert.equal(writeDiagrams(root).removed, []);
  });
  assert.equal(found, ['specs/tables/build.md:3: "BLD-1" is not an id such as BLD-001']);
});

spec('generating diagrams twice changes nothing', () => {
  spoiled((root) => assert.equal(writeDiagrams(root).written, []));
});

spec('Mermaid draws each arrow with its events, also from absence, from any state and to the end', () => {
  assert.is(
    mermaidOf(pictured(lamp)),
    [
      '---',
      'title: Lamp',
      '---',
      'stateDiagram-v2',
      '  direction LR',
      '  state "any state" as Outside1',
      '  state "Off" as Off',
      '  state "On" as On',
      '  state "Broken" as Broken',
      '  Outside1 --> Broken : smashed',
      '  [*] --> Off : bought',
      '  Off --> On : switched',
      '  On --> Off : switched',
      '  On --> On : dimmed',
      '  Broken --> [*] : thrownAway',
      '  %% no instance comes of: soldOut',
      '',
    ].join('\n'),
  );
});

spec('every event of a table is in Mermaid and in the description for screen readers', () => {
  for (const table of [lamp, ...tables]) {
    const picture = pictured(table);
    const [svg, mermaid] = [svgOf(picture, 'file'), mermaidOf(picture)];
    const said = /<desc[^>]*>([^<]*)<\/desc>/.exec(svg)?.[1] ?? '';
    for (const event of new Set([...table.rows, ...table.absence].map(({ event }) => event))) {
      assert.match(mermaid, new RegExp(`[:,] ${event}\\b`), `${table.file}: ${event}`);
      assert.match(said, new RegExp(`: (?:\\w+, )*${event}\\b`), `${table.file}: ${event}`);
    }
  }
});

spec('every state of a table is in its diagram, with a title and a text alternative', () => {
  for (const table of [lamp, ...tables]) {
    const svg = svgOf(pictured(table), 'file');
    const rows = [...table.rows, ...table.absence];
    const named = statesOf(table).filter((state) => rows.some(({ from, to }) => from.includes(state) || to === state));
    assert.is(svg.match(/class="state-box"/g)?.length, named.length, table.file);
    assert.match(svg, /role="img" aria-labelledby="(\w+-title) (\w+-desc)"[^]*<title id="\1">[^]*<desc id="\2">/);
  }
});

spec('every state of a table has a colour and an icon', () => {
  const without = tables.flatMap((table) =>
    statesOf(table)
      .filter((state) => !hasLook(state))
      .map((state) => `${table.file}: http/dashboard/model/state.ts gives ${state} no look`),
  );
  assert.equal(without, []);
});

/** Tags that are opened and not closed in their order. */
function unclosed(markup: string): readonly string[] {
  const open: string[] = [];
  for (const [, close, name = '', self] of markup.matchAll(/<(\/?)(\w+)[^<>]*?(\/?)>/g))
    if (close === '') {
      if (self === '') open.push(name);
    } else if (open.at(-1) === name) open.pop();
    else open.push(`/${name}`);
  return open;
}

spec('a diagram is well-formed XML without external references, with the colours of both themes', () => {
  assert.equal(unclosed('<a><b/><c></a>'), ['a', 'c', '/a']);
  for (const table of [lamp, ...tables]) {
    const svg = svgOf(pictured(table), 'file');
    assert.equal(unclosed(svg), [], table.file);
    assert.not.match(svg.replace('http://www.w3.org/2000/svg', ''), /https?:|href|@import|NaN|undefined/);
  }
  const [light = '', dark = ''] = pictureStyle().split('@media (prefers-color-scheme:dark)');
  assert.not.match(pictureStyle(), /var\(|light-dark/);
  const painted = (css: string) =>
    [...css.matchAll(/^([^{@\n]+)\{[^}]*(?:fill|stroke|color):#/gm)].map(([, selector]) => selector);
  assert.ok(painted(light).length > 10);
  assert.equal(painted(dark), painted(light));
});

spec('a diagram inside a page has no style and no background', () => {
  assert.not.match(svgOf(pictured(lamp), 'inline'), /<style|class="ground"|xmlns/);
});

/** States in a row, each with a way back and one past its neighbour. */
const chain = (count: number): Parsed => {
  const names = Array.from({ length: count }, (_, index) => `State${String.fromCharCode(65 + index)}`);
  const rows = names.flatMap((name, index) => [
    ...(index + 1 < count ? [[name, 'wentOn', names[index + 1]]] : []),
    ...(index > 0 ? [[name, 'fellBack', names[0]]] : []),
    ...(index + 2 < count ? [[name, 'leapt', names[index + 2]]] : []),
  ]);
  return tableOf(rows.map(([from = '', event = '', to = ''], index) => rowText(`LMP-${100 + index}`, from, event, to)));
};

for (let count = 2; count <= 10; count++)
  spec(`${count} states are drawn without overlap, and their texts are readable in a page`, () => {
    const placed = placeInPage(pictured(chain(count)).model);
    const boxes = Object.values(placed.states);
    assert.is(boxes.length, count);
    for (const [index, a] of boxes.entries())
      for (const b of boxes.slice(index + 1))
        assert.ok(Math.abs(a.x - b.x) >= (a.width + b.width) / 2 || Math.abs(a.y - b.y) >= (a.height + b.height) / 2);
    assert.ok(Math.min(1000 / placed.width, 1100 / placed.height) >= 0.7, `${placed.width} × ${placed.height}`);
  });

spec('an event from every other state is drawn once', () => {
  const { model } = pictured(chain(5));
  assert.equal(
    model.entries.map(({ from, to, rows }) => [from, to, rows.length]),
    [['any other state', 'StateA', 4]],
  );
  assert.not.ok(model.arrows.some(({ to }) => to === 'StateA'));
  assert.equal(pictured(chain(3)).model.entries, []);
});

spec('an event from most states is drawn once, with its exceptions or with its states', () => {
  const from = (...states: readonly string[]) =>
    commonWays([row(states, 'failed', 'E')], new Set(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'])).get('failed>E')?.label;
  assert.is(from('A', 'B', 'C', 'D', 'F', 'G', 'H'), 'any other state');
  assert.is(from('A', 'B', 'C', 'D', 'F', 'G'), 'any other state but H');
  assert.is(from('A', 'B', 'C', 'D'), 'A, B, C, D');
  assert.is(from('A', 'B', 'C'), undefined);
});

spec('an arrow from most states is marked as next for an instance in one of them', () => {
  const { model } = pictured(chain(5));
  const [entry] = model.entries;
  assert.ok(entry);
  const next = new Set(entry.rows.map(({ id }) => id));
  assert.is(markOf({ current: 'StateC', moves: [], next }, entry), 'next');
  assert.is(markOf({ current: 'StateA', moves: [], next }, entry), 'plain');
  const moves = [{ from: 'StateD', to: 'StateA', event: 'fellBack' }];
  assert.is(markOf({ current: 'StateA', moves, next }, entry), 'visited');
});

spec('states named only by the lens are not drawn, and the others are in order', () => {
  const build = tables.find(({ file }) => file.endsWith('/build.md'));
  assert.ok(build);
  const states = pictured(build).model.states;
  assert.ok(statesOf(build).includes('Unrecognised') && !states.includes('Unrecognised'));
  assert.ok(build.rows.flatMap((row) => fromOf(row, [])).every((state) => states.includes(state)));
});

spec.run();

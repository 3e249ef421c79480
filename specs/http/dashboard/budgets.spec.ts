import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { suite } from '../../support/suite.ts';

const budgets = suite('size budgets of the dashboard');

const assets = new URL('../../../dist/dashboard/assets/', import.meta.url);
const textOf = (name: string): string => readFileSync(new URL(name, assets), 'utf8');
const gzipped = (name: string): number => gzipSync(readFileSync(new URL(name, assets))).length;

const found = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].flatMap(([, name]) => name ?? []);
/** Files that are loaded with one, and those that it loads when it needs them. */
const withIt = (name: string) => found(textOf(name), /(?:\bfrom|\bimport)\s*"\.\/([^"]+\.js)"/g);
const later = (name: string) => found(textOf(name), /\bimport\("\.\/([^"]+\.js)"\)/g);

/** A file with all that is loaded with it. */
function closure(name: string): ReadonlySet<string> {
  const all = new Set([name]);
  for (const one of all) for (const other of withIt(one)) all.add(other);
  return all;
}

const shell = closure('dashboard.js');
/** The bytes that a part adds to what is there before it. */
const added = (name: string, before: ReadonlySet<string>): number =>
  [...closure(name)].filter((one) => !before.has(one)).reduce((sum, one) => sum + gzipped(one), 0);

const kB = 1000;
const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
const parts = [...new Set(scripts.flatMap(later))];
const drawing = parts.filter((name) => name.startsWith('drawing-'));

budgets('the shell loaded for sign-in has at most 40 kB', () => {
  const size = [...shell].reduce((sum, name) => sum + gzipped(name), 0);
  assert.ok(size <= 40 * kB, `${size} bytes`);
});

/** What a view alone brings from a library besides: a terminal, and charts. */
const libraries: Readonly<Record<string, number>> = { consoleView: 92 * kB, usageCharts: 23 * kB };
const allowed = (name: string): number => 20 * kB + (libraries[name.split('-')[0] ?? ''] ?? 0);

budgets('a page adds at most 20 kB to the shell, plus its own library', () => {
  assert.ok(parts.length > 8, 'the pages are found');
  const large = parts
    .filter((name) => !drawing.includes(name))
    .map((name) => [name, added(name, shell)] as const)
    .filter(([name, size]) => size > allowed(name));
  assert.equal(large, []);
});

budgets('the diagram is a separate part of at most 22 kB that no page loads at start', () => {
  assert.is(drawing.length, 1);
  for (const name of drawing) assert.ok(added(name, shell) <= 22 * kB, `${added(name, shell)} bytes`);
  const waiting = ['dashboard.js', ...parts.filter((name) => !drawing.includes(name))];
  for (const name of waiting)
    for (const one of closure(name)) assert.not.match(textOf(one), 'rankdir', `${name} loads the diagram library`);
});

budgets('the styles of terminal and charts have at most 3 kB each', () => {
  for (const name of ['terminal.css', 'usage.css']) assert.ok(gzipped(name) <= 3 * kB, `${gzipped(name)} bytes`);
});

budgets('the shared styles have at most 8 kB', () => {
  assert.ok(gzipped('dashboard.css') <= 8 * kB, `${gzipped('dashboard.css')} bytes`);
});

budgets.run();

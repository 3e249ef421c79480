import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { contrast, readColour } from '../../../http/dashboard/words/contrast.ts';
import { suite } from '../../support/suite.ts';

const colours = suite('the colours of the dashboard');

const css = readFileSync(new URL('../../../http/dashboard/styles/tokens.css', import.meta.url), 'utf8');
const pairs = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name = '', light = '', dark = '']) => [
    name,
    { light, dark },
  ]),
);

const tones = ['good', 'bad', 'waiting', 'active', 'idle', 'unknown'];
const grounds = ['page', 'surface', 'sunk'];

/** Text on its background needs 4.5, the edge of a control 3 (WCAG 2.2, AA). */
const text: readonly (readonly [string, string])[] = [
  ...grounds.flatMap((ground) => ['ink', 'muted', 'accent'].map((ink) => [ink, ground] as const)),
  ...tones.flatMap((tone) => [tone, 'ink', 'muted'].map((ink) => [ink, `${tone}-soft`] as const)),
  ...tones.map((tone) => [tone, 'surface'] as const),
  ...['ink', 'muted', 'accent'].map((ink) => [ink, 'accent-soft'] as const),
  ['accent-ink', 'accent'],
];
const edges = ['line-strong', 'accent', ...tones].map((edge) => [edge, 'surface'] as const);

function ratio(ink: string, ground: string, theme: 'light' | 'dark'): number {
  const [one, other] = [ink, ground].map((name) => readColour(pairs.get(name)?.[theme] ?? ''));
  assert.ok(one && other, `--${ink} and --${ground} are colours`);
  return contrast(one, other);
}

colours('black on white is 21 to 1', () => {
  assert.is(contrast([0, 0, 0], [255, 255, 255]), 21);
  assert.is(readColour('red'), null);
});

for (const theme of ['light', 'dark'] as const) {
  colours(`text is readable, ${theme}`, () => {
    const poor = text.filter(([ink, ground]) => ratio(ink, ground, theme) < 4.5);
    assert.equal(poor, []);
  });
  colours(`edges are seen, ${theme}`, () => {
    const poor = edges.filter(([edge, ground]) => ratio(edge, ground, theme) < 3);
    assert.equal(poor, []);
  });
}

colours.run();

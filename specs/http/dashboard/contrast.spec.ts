import { readdirSync, readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { contrast, readColour } from './contrast.ts';
import { suite } from '../../support/suite.ts';
import { differenceAs, sights } from './sight.ts';

const colours = suite('colours of the dashboard');

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
  ...grounds.flatMap((ground) => tones.map((tone) => [tone, ground] as const)),
  ...['ink', 'muted', 'accent'].map((ink) => [ink, 'accent-soft'] as const),
  ['accent-ink', 'accent'],
];
const edges = ['line-strong', 'accent', ...tones].map((edge) => [edge, 'surface'] as const);

function ratio(ink: string, ground: string, theme: 'light' | 'dark'): number {
  const [one, other] = [ink, ground].map((name) => readColour(pairs.get(name)?.[theme] ?? ''));
  assert.ok(one && other, `--${ink} and --${ground} are colours`);
  return contrast(one, other);
}

colours('the contrast of black on white is 21 to 1', () => {
  assert.is(contrast([0, 0, 0], [255, 255, 255]), 21);
  assert.is(readColour('red'), null);
});

for (const theme of ['light', 'dark'] as const) {
  colours(`the contrast of text is sufficient in the ${theme} theme`, () => {
    const poor = text.filter(([ink, ground]) => ratio(ink, ground, theme) < 4.5);
    assert.equal(poor, []);
  });
  colours(`the contrast of edges is sufficient in the ${theme} theme`, () => {
    const poor = edges.filter(([edge, ground]) => ratio(edge, ground, theme) < 3);
    assert.equal(poor, []);
  });
}

/** Red, green and blue of a tone. */
function colourOf(tone: string, theme: 'light' | 'dark') {
  const colour = readColour(pairs.get(tone)?.[theme] ?? '');
  assert.ok(colour, `--${tone} is a colour`);
  return colour;
}

for (const sight of sights)
  for (const theme of ['light', 'dark'] as const)
    colours(`any two tones differ for readers with ${sight} in the ${theme} theme`, () => {
      const alike = tones.flatMap((one, index) =>
        tones
          .slice(index + 1)
          .map((other) => [one, other, differenceAs(sight, colourOf(one, theme), colourOf(other, theme))] as const)
          .filter(([, , difference]) => difference < 22),
      );
      assert.equal(alike, []);
    });

const styles = new URL('../../../http/dashboard/styles/', import.meta.url);
const sizes = ['12px', '13px', '14px', '15px', '17px', '22px'];
const sizeOf = new Map([...css.matchAll(/--(t\d): (\d+px);/g)].map(([, name = '', size = '']) => [name, size]));

/** The sizes of letters in a style sheet, each as it is written. */
const sizesIn = (text: string): readonly string[] => [
  ...[...text.matchAll(/font-size:\s*([^;]+);/g)].map(([, size = '']) => size),
  ...[...text.matchAll(/\bfont:\s*(?:\d+ )?([^\s/;]+)/g)].map(([, size = '']) => size),
];

colours('the font sizes are the six of the scale', () => {
  assert.equal([...sizeOf.values()], sizes);
  assert.equal(sizesIn('a { font: 600 11px/1.5 serif; } b { font-size: 1em; }'), ['1em', '11px']);
  const known = new Set(['inherit', ...[...sizeOf.keys()].map((name) => `var(--${name})`)]);
  const others = readdirSync(styles).flatMap((file) =>
    sizesIn(readFileSync(new URL(file, styles), 'utf8'))
      .filter((size) => !known.has(size))
      .map((size) => `${file}: ${size}`),
  );
  assert.equal(others, []);
});

colours.run();

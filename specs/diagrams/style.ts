import { readFileSync } from 'node:fs';

const read = (name: string) =>
  readFileSync(new URL(`../../http/dashboard/styles/${name}.css`, import.meta.url), 'utf8').replace(
    /\/\*[^]*?\*\//g,
    '',
  );

type Theme = 'light' | 'dark';
interface Rule {
  readonly selector: string;
  readonly declarations: readonly (readonly [property: string, value: string])[];
}

/** The rules of a flat style sheet. */
const rulesOf = (css: string): readonly Rule[] =>
  [...css.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selector = '', body = '']) => ({
    selector: selector.trim().replace(/\s+/g, ' '),
    declarations: body
      .split(';')
      .map((line) => line.split(/:(.*)/s).map((part) => part.trim()))
      .filter(([property]) => property !== '')
      .map(([property = '', value = '']) => [property, value] as const),
  }));

const tokenRules = rulesOf(read('tokens')).filter(({ selector }) => selector === ':root');
const tokens = new Map(
  tokenRules.flatMap(({ declarations }) => declarations).map(([name, value]) => [name, value.replace(/\s+/g, ' ')]),
);
const tones = ['waiting', 'active', 'good', 'bad', 'idle', 'unknown'] as const;

/** The value of a token of the dashboard in one theme. */
function tokenIn(name: string, theme: Theme): string {
  const value = tokens.get(name);
  if (value === undefined) throw new Error(`the dashboard has no token ${name}`);
  const pair = /^light-dark\((#\w+), (#\w+)\)$/.exec(value);
  return (theme === 'light' ? pair?.[1] : pair?.[2]) ?? value;
}

/** The parts of the dashboard's diagram that a picture has which nobody points at. */
const still =
  /^(\.diagram )?(text|\.state-(box|name|sub|sign)|\.arrow-(line|head|label)|\.arrow \.label-back|\.entry(-new)? rect|\.entry-name|\.loop circle)$/;
const coloursOfPicture: readonly Rule[] = [
  {
    selector: '.ground',
    declarations: [
      ['fill', 'var(--surface)'],
      ['stroke', 'var(--line)'],
    ],
  },
  {
    selector: '.diagram .note',
    declarations: [
      ['font-size', '11.5px'],
      ['fill', 'var(--muted)'],
    ],
  },
  {
    selector: '.state-box',
    declarations: [
      ['fill', 'var(--tone-soft)'],
      ['stroke', 'var(--tone)'],
    ],
  },
];

/** A rule that is painted in a tone, once for each. */
const inEachTone = ({ selector, declarations }: Rule): readonly Rule[] =>
  declarations.some(([, value]) => value.includes('--tone'))
    ? tones.map((tone) => ({
        selector: `[data-tone='${tone}'] ${selector}`,
        declarations: declarations.map(([name, value]) => [name, value.replace('--tone', `--${tone}`)] as const),
      }))
    : [{ selector, declarations }];

const stillRules: readonly Rule[] = [
  ...rulesOf(read('diagram')).filter(({ selector }) => still.test(selector)),
  ...coloursOfPicture,
].flatMap(inEachTone);

const valueIn = (value: string, theme: Theme | 'tokens') =>
  theme === 'tokens' ? value : value.replace(/var\((--[\w-]+)\)/g, (_, name: string) => tokenIn(name, theme));

const written = (rules: readonly Rule[], theme: Theme | 'tokens') =>
  rules
    .map(({ selector, declarations }) => {
      const lines = declarations.map(([property, value]) => `${property}:${valueIn(value, theme)}`);
      return `${selector}{${lines.join(';')}}`;
    })
    .join('\n');

const colours = ['fill', 'stroke', 'color'];

/** Every colour once more, for one that is left out would lose to another that is not. */
const coloured = stillRules
  .map(({ selector, declarations }) => ({
    selector,
    declarations: declarations.filter(([property]) => colours.includes(property)),
  }))
  .filter(({ declarations }) => declarations.length > 0);

/** The look of a picture that stands alone, as the dashboard's, in the reader's theme. */
export const pictureStyle = (): string =>
  `${written(stillRules, 'light')}\n@media (prefers-color-scheme:dark){\n${written(coloured, 'dark')}\n}`;

/** The same in a page that has the dashboard's tokens. */
export const pictureRules = (): string => written(stillRules, 'tokens');

/** The dashboard's tokens as they are written down. */
export const tokenSheet = (): string => read('tokens').trim();

import { figurePattern, figuresOf, lineOf, numberOf } from './prose.ts';

/** A figure that nothing in the repository decides, and why. */
interface Undecided {
  readonly because: string;
}

/** What a figure is to be: a number; a text that is more than a number, as a version is; or nothing that could be compared. */
type Value = number | string | Undecided;

/** A sentence of a page, with `{}` in the place of each figure, and what decides these, in their order. */
export type Figure = readonly [sentence: string, ...values: readonly Value[]];

const patternOf = (sentence: string): RegExp => {
  const parts = sentence
    .split('{}')
    .map((part) => part.replaceAll(/[.*+?^$()|[\]\\{}]/g, String.raw`\$&`).replaceAll(/\s+/g, String.raw`\s+`));
  return new RegExp(parts.join(`(${figurePattern})`), 'dgi');
};

const isSame = (written: string, value: Value): boolean =>
  typeof value === 'object' || (typeof value === 'string' ? written === value : numberOf(written) === value);

const textOf = (value: Value): string => (typeof value === 'object' ? value.because : String(value));

/** What is wrong with the figures of a page: sentences that are not there, other numbers, figures that nothing is compared with. */
export function wrongIn(page: string, figures: readonly Figure[]): readonly string[] {
  const compared = new Set<number>();
  const wrong: string[] = [];
  for (const [sentence, ...values] of figures) {
    const found = [...page.matchAll(patternOf(sentence))];
    if (found.length === 0) wrong.push(`1: the page does not say "${sentence}"`);
    for (const match of found)
      for (const [index, value] of values.entries()) {
        const [at = 0] = match.indices?.[index + 1] ?? [];
        const written = match[index + 1] ?? '';
        compared.add(at);
        if (!isSame(written, value))
          wrong.push(`${lineOf(page, at)}: "${sentence}" says ${written}, it is ${textOf(value)}`);
      }
  }
  for (const { at, text } of figuresOf(page))
    if (!compared.has(at)) {
      const around = page.slice(Math.max(0, at - 30), at + 40).replaceAll(/\s+/g, ' ');
      wrong.push(`${lineOf(page, at)}: nothing is compared with ${text}, of "… ${around} …"`);
    }
  return wrong;
}

import type { Came, Ran } from '../support/suite.ts';
import { idsIn, withoutIds } from './ids.ts';
import { likenessTo, type Title } from './titles.ts';
import { shortened } from './output.ts';

/** A test: where it stands, the ids it names, what it is called without them, what came of it in its last run. */
export interface Test {
  readonly file: string;
  readonly line: number;
  readonly ids: readonly string[];
  readonly title: string;
  readonly came: Came | 'not run';
}

const textOf = ({ parts }: Title) => parts.map((part) => part ?? '…').join('');

function byFile<T extends { readonly file: string }>(all: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const files = new Map<string, T[]>();
  for (const each of all) {
    const those = files.get(each.file);
    if (those) those.push(each);
    else files.set(each.file, [each]);
  }
  return files;
}

/** Every test as its source names it, with what came of it; a result that no source names any more is left out. */
export function testsOf(titles: readonly Title[], results: readonly Ran[]): readonly Test[] {
  const ranIn = byFile(results);
  return [...byFile(titles)].flatMap(([file, those]) => testsOfFile(those, ranIn.get(file) ?? []));
}

function testsOfFile(titles: readonly Title[], results: readonly Ran[]): readonly Test[] {
  const likenesses = titles.map((title) => ({ title, like: likenessTo(title) }));
  const ran = results.flatMap(({ title, came }) => {
    const alike = likenesses.map(({ title: place, like }) => ({ place, likeness: like(title) }));
    const [best] = alike.toSorted((a, b) => b.likeness - a.likeness);
    if (!best || best.likeness < 0) return [];
    const { file, line } = best.place;
    return [{ place: best.place, test: { file, line, ids: idsIn(title), title: withoutIds(title), came } }];
  });
  const unrun = titles
    .filter((title) => !ran.some(({ place }) => place === title))
    .map((title): Test => {
      const { file, line, ids } = title;
      return { file, line, ids, title: withoutIds(textOf(title)), came: 'not run' };
    });
  return [...ran.map(({ test }): Test => test), ...unrun].toSorted((a, b) => a.line - b.line);
}

const cameTexts = {
  passed: 'passed',
  failed: 'FAILED',
  skipped: 'skipped',
  began: 'DID NOT END',
  'not run': 'not run',
} satisfies Record<Test['came'], string>;

/** A test in one line: where, what came of it, what it is called. */
export const testText = ({ file, line, title, came }: Test): string =>
  `${file}:${line} ${cameTexts[came]}: ${shortened(title, 90)}`;

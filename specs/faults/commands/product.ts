import { writeFile } from 'node:fs/promises';
import { patternNames } from '../plan/product.ts';
import { tableOf, violationText } from '../report.ts';
import { subjects } from '../subjects/all.ts';
import type { FaultSubject } from '../subjects/subject.ts';
import type { Row } from '../trials.ts';
import { type PathRequest, tryAll } from '../workers.ts';
import { Misused, say } from './say.ts';

/** Which plans to run, and in how many processes. */
export interface ProductOptions extends Pick<PathRequest, 'seed' | 'mixed' | 'oneOf' | 'pattern'> {
  /** Undefined means all. */
  readonly lifecycles: readonly string[] | undefined;
  readonly jobs: number;
  /** A file that gets a sorted line for each plan (`digest.ts`). */
  readonly digest: string | undefined;
}

/** The subject of this name; else those that put the machine of this name through their plans. */
function subjectsOf(lifecycle: string): readonly FaultSubject[] {
  const own = subjects.filter(({ name }) => name === lifecycle);
  const found = own.length > 0 ? own : subjects.filter(({ tables }) => tables.includes(lifecycle));
  if (found.length > 0) return found;
  const known = new Set(subjects.flatMap(({ name, tables }) => [name, ...tables]));
  throw new Misused(`no lifecycle is called "${lifecycle}": ${[...known].toSorted().join(', ')}`);
}

/** Runs the product of plans and prints the counts; returns whether every plan held. */
export async function product({ lifecycles, jobs, digest, ...extent }: ProductOptions): Promise<boolean> {
  const chosen = lifecycles === undefined ? subjects : [...new Set(lifecycles.flatMap(subjectsOf))];
  if (extent.pattern !== null && !patternNames.includes(extent.pattern))
    throw new Misused(`no pattern is called "${extent.pattern}": ${patternNames.join(', ')}`);
  const asked: readonly PathRequest[] = chosen.flatMap(({ name, paths }) =>
    paths.map((path) => ({ ...extent, lifecycle: name, path: path.name })),
  );
  const rows: Row[] = [];
  const digests: string[] = [];
  const from = performance.now();
  await tryAll(asked, jobs, (tried) => {
    rows.push(...tried.rows);
    digests.push(...tried.digests);
    for (const violation of tried.violations) say(...violationText(violation));
  });
  if (digest !== undefined) await writeFile(digest, `${digests.toSorted().join('\n')}\n`);
  const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
  const plans = sum((row) => row.plans);
  const violations = sum((row) => row.violations);
  const seconds = ((performance.now() - from) / 1_000).toFixed(0);
  const over = `${asked.length} paths of ${new Set(asked.map(({ lifecycle }) => lifecycle)).size} lifecycles`;
  say('', ...tableOf(rows), '');
  say(`${plans} plans over ${over}, ${violations} violations, ${seconds} s (seed ${extent.seed})`);
  if (plans === 0) say('nothing was tried');
  return violations === 0 && plans > 0;
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileTables } from '../tables/compile.ts';
import { check } from './check.ts';
import { keepCounterexamples } from './counterexample.ts';
import { lifecycleNames, lifecycleOf } from './lifecycles.ts';
import type { Outcome } from './outcome.ts';
import { isClean, outcomeText, summaryText } from './report.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** What a run leaves behind: the report page, the counterexamples. */
const keptFolder = `${root}node_modules/.cache/specs/`;

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

interface Asked {
  readonly only: readonly string[] | undefined;
  readonly mutation: boolean;
  readonly seed: number;
  readonly print: (line: string) => void;
}

/** What is generated from the tables and is not what they say now. */
async function staleFiles(): Promise<readonly string[]> {
  const { staleDiagrams } = await import('../diagrams/files.ts');
  const compiled = 'machines/tables.json';
  const isCurrent = readFileSync(`${root}${compiled}`, 'utf8') === compileTables(`${root}specs/tables`);
  return [
    ...(isCurrent ? [] : [`${compiled}: is not what specs/tables says now: \`npm run build\` writes it`]),
    ...staleDiagrams(),
  ];
}

/** Checks the lifecycles that are asked for, tells of each as it is done, and says whether nothing is wrong. */
export async function runAll({ only, mutation, seed, print }: Asked): Promise<boolean> {
  const startedAt = performance.now();
  const outcomes: Outcome[] = [];
  mkdirSync(keptFolder, { recursive: true });
  for (const name of only ?? lifecycleNames()) {
    const { outcome, broken } = check(await lifecycleOf(name), { seed, mutation });
    outcomes.push(outcome);
    print(outcomeText(outcome));
    for (const file of keepCounterexamples(`${keptFolder}counterexamples`, name, broken))
      print(`  kept: npm run specs -- replay ${relative(process.cwd(), file)}`);
  }
  const stale = only === undefined ? await staleFiles() : [];
  for (const each of stale) print(`stale  ${each}`);
  const { page } = await import('./page.ts');
  const report = `${keptFolder}report.html`;
  writeFileSync(report, page(outcomes, { at: new Date().toISOString(), version }));
  print(`${summaryText(outcomes, performance.now() - startedAt)}\nreport ${relative(process.cwd(), report)}`);
  return isClean(outcomes) && stale.length === 0;
}

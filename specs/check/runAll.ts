import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check } from './check.ts';
import { keepCounterexamples } from './counterexample.ts';
import { lifecycleNames, lifecycleOf } from './lifecycles.ts';
import type { Outcome } from './outcome.ts';
import { page } from './page.ts';
import { isClean, outcomeText, summaryText } from './report.ts';

/** What a run leaves behind: the report page, the counterexamples. */
export const keptFolder = fileURLToPath(new URL('../../node_modules/.cache/specs/', import.meta.url));

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

interface Asked {
  readonly only: readonly string[] | undefined;
  readonly mutation: boolean;
  readonly seed: number;
  readonly print: (line: string) => void;
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
  const report = `${keptFolder}report.html`;
  writeFileSync(report, page(outcomes, { at: new Date().toISOString(), version }));
  print(`${summaryText(outcomes, performance.now() - startedAt)}\nreport ${relative(process.cwd(), report)}`);
  return isClean(outcomes);
}

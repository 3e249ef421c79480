import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileTables } from '../tables/compile.ts';
import { TableError } from '../tables/parse.ts';
import { SheetError } from '../trace/sheet.ts';
import { check } from './check.ts';
import { keepCounterexamples } from './counterexample.ts';
import { lifecycleNames, lifecycleOf, unpaired } from './lifecycles.ts';
import type { Outcome } from './outcome.ts';
import { isClean, outcomeText, summaryText, type Unread, unreadText } from './report.ts';
import { Unreadable, whyUnloadable } from './unreadable.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** The files that a run writes: the report page, the counterexamples. */
const keptFolder = `${root}node_modules/.cache/specs/`;

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

interface CheckAllOptions {
  readonly only: readonly string[] | undefined;
  readonly mutation: boolean;
  readonly seed: number;
  readonly print: (line: string) => void;
}

/** Generated files that differ from what the tables say now; tables that cannot be read are reported elsewhere. */
async function staleFiles(): Promise<readonly string[]> {
  const { staleDiagrams } = await import('../diagrams/files.ts');
  const stale = Object.entries(compileTables(`${root}specs/tables`)).filter(
    ([file, text]) => readFileSync(`${root}${file}`, 'utf8') !== text,
  );
  return [
    ...stale.map(([file]) => `${file}: is not what specs/tables says now: \`npm run build\` writes it`),
    ...staleDiagrams(),
  ];
}

/** Faults that show only over all lifecycles: unpaired files, stale ones, unknown names. */
async function widerFaults(unread: readonly Unread[]): Promise<readonly string[]> {
  const { strayFaults } = await import('../trace/stray.ts');
  const told = unread.flatMap(({ why }) => why);
  const all = [
    ...unpaired()
      .filter((each) => !unread.some(({ name }) => each.startsWith(`specs/lifecycles/${name}.ts:`)))
      .map((each) => `alone  ${each}`),
    ...(await safely(staleFiles)).map((each) => `stale  ${each}`),
    ...(await safely(strayFaults)).map((each) => `stray  ${each}`),
  ];
  return all.filter((each) => !told.some((line) => each.endsWith(line)));
}

const safely = async (look: () => Promise<readonly string[]> | readonly string[]): Promise<readonly string[]> => {
  try {
    return await look();
  } catch (error) {
    const why = whyRefused(error);
    if (why === null) throw error;
    return why;
  }
};

/** The reasons why a table, a sheet or a source cannot be read, line by line; null for any other error. */
const whyRefused = (error: unknown): readonly string[] | null =>
  error instanceof TableError || error instanceof SheetError || error instanceof Unreadable ? error.faults : null;

/** Checks one lifecycle and reports on it. */
async function checkOne(name: string, { seed, mutation, print }: CheckAllOptions): Promise<Outcome | Unread> {
  try {
    const { outcome, broken } = check(await lifecycleOf(name), { seed, mutation, proof: mutation });
    print(outcomeText(outcome));
    for (const file of keepCounterexamples(`${keptFolder}counterexamples`, name, broken))
      print(`  kept: npm run specs -- replay ${relative(process.cwd(), file)}`);
    return outcome;
  } catch (error) {
    const unread = { name, why: whyRefused(error) ?? whyUnloadable(error, `specs/lifecycles/${name}.ts`) };
    print(unreadText(unread));
    return unread;
  }
}

/** The machines of one object together, which only a whole run has time for. */
async function jointSearches(print: CheckAllOptions['print']): Promise<number> {
  const { searchJoints } = await import('./joint/all.ts');
  return searchJoints(print);
}

const isUnread = (found: Outcome | Unread): found is Unread => 'why' in found;

/** Checks the requested lifecycles, reports on each as it finishes, and returns the exit code of the run. */
export async function runAll(asked: CheckAllOptions): Promise<0 | 1 | 2> {
  const { only, seed, print } = asked;
  const startedAt = performance.now();
  mkdirSync(keptFolder, { recursive: true });
  const found: (Outcome | Unread)[] = [];
  for (const name of only ?? lifecycleNames()) found.push(await checkOne(name, asked));
  const unread = found.filter(isUnread);
  const outcomes = found.filter((each): each is Outcome => !isUnread(each));
  if (outcomes.length === 0) return 2;
  const wider = only === undefined ? await widerFaults(unread) : [];
  for (const each of wider) print(each);
  // Each lifecycle alone comes first, because its faults would be reported here again.
  const isWhole = only === undefined && asked.mutation && unread.length === 0 && isClean(outcomes);
  const wrongJoints = isWhole ? await jointSearches(print) : 0;
  const { page } = await import('./page.ts');
  const report = `${keptFolder}report.html`;
  writeFileSync(
    report,
    page(outcomes, { at: new Date().toISOString(), version, unread: unread.map(({ name }) => name) }),
  );
  const others = unread.length + wider.length + wrongJoints;
  print(
    `${summaryText(outcomes, { others, seed, ms: performance.now() - startedAt })}\nreport ${relative(process.cwd(), report)}`,
  );
  if (unread.length > 0 && only !== undefined) return 2;
  return isClean(outcomes) && others === 0 ? 0 : 1;
}

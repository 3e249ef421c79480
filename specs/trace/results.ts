import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ran } from '../support/suite.ts';

/** Where a run of the specs leaves what came of every test. */
export const resultsFile = 'node_modules/.cache/specs/results.ndjson';

/** What came of the tests: the last word on each since its file last ran. A line torn in the middle is no word. */
export function parseResults(text: string): readonly Ran[] {
  const files = new Map<string, Map<string, Ran>>();
  for (const content of text.split('\n')) {
    const line = lineOf(content);
    if (line === null) continue;
    const tests = line.came === 'forgotten' ? new Map<string, Ran>() : (files.get(line.file) ?? new Map<string, Ran>());
    if (line.came !== 'forgotten') tests.set(JSON.stringify([line.suite, line.title]), line);
    files.set(line.file, tests);
  }
  return [...files.values()].flatMap((tests) => [...tests.values()]);
}

/** What came of the tests in the last run of each file; nothing when none ran. */
export function readResults(root: string): readonly Ran[] {
  const file = join(root, resultsFile);
  return existsSync(file) ? parseResults(readFileSync(file, 'utf8')) : [];
}

/** A run of a file began: what was told of it before counts no more. */
interface Forgotten {
  readonly file: string;
  readonly came: 'forgotten';
}

function lineOf(content: string): Ran | Forgotten | null {
  try {
    const line = JSON.parse(content) as Ran | Forgotten | null;
    if (typeof line?.file !== 'string') return null;
    return line.came === 'forgotten' || typeof line.title === 'string' ? line : null;
  } catch {
    return null;
  }
}

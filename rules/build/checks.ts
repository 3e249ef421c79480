import type { CheckRun } from '../gitAnswer.ts';

export type ChecksVerdict =
  | { readonly is: 'failed'; readonly name: string; readonly conclusion: string }
  | { readonly is: 'pending'; readonly completed: number; readonly of: number }
  | { readonly is: 'passed'; readonly of: number };

/**
 * Succeeds when there is at least one check run and every one completed with conclusion `success` (000 Build execution
 * rules 6). Any other conclusion fails at once, whatever the other runs do, including `neutral` and `skipped` (decision
 * 2).
 */
export function checksVerdict(runs: readonly CheckRun[]): ChecksVerdict {
  const completed = runs.filter((run) => run.status === 'completed');
  const failed = completed.find((run) => run.conclusion !== 'success');
  if (failed) return { is: 'failed', name: failed.name, conclusion: failed.conclusion ?? 'without a conclusion' };
  if (runs.length === 0 || completed.length < runs.length)
    return { is: 'pending', completed: completed.length, of: runs.length };
  return { is: 'passed', of: runs.length };
}

/** Names kept in `status.ciChecks`. */
export const checkNamesKept = 50;

import { Effect } from 'effect';
import type { CheckRun, GitAnswer } from '../../../rules/gitAnswer.ts';
import { silent } from './failure.ts';
import type { CheckRunPage } from './read.ts';

/** The largest page that the Git host sends. */
export const perPage = 100;
/** The Git host reports the runs of at most 1,000 suites; more pages than this are an error. */
const maxPages = 100;

/**
 * Reads every check run, page by page. If the count changes in between, a run may have moved to a page already read, so
 * the result is unknown.
 */
export const everyCheckRun = (
  readPage: (page: number) => Effect.Effect<GitAnswer<CheckRunPage>>,
): Effect.Effect<GitAnswer<readonly CheckRun[]>> =>
  Effect.gen(function* () {
    const runs = new Map<number | string, CheckRun>();
    let total: number | undefined;
    for (let page = 1; page <= maxPages; page += 1) {
      const answer = yield* readPage(page);
      if (answer.is !== 'found') return answer;
      const read = answer.value;
      if (page > 1 && read.total !== total) return silent('the check runs changed while they were read');
      total = read.total;
      for (const [index, { id, ...run }] of read.runs.entries()) runs.set(id ?? `${page}.${index}`, run);
      const complete = !read.more && (read.runs.length < perPage || runs.size >= (total ?? 0));
      if (complete) return { is: 'found', value: [...runs.values()] } as const;
    }
    return silent(`more than ${maxPages} pages of check runs`);
  });

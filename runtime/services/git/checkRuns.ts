import { Effect } from 'effect';
import type { CheckRun, GitAnswer } from '../../../rules/gitAnswer.ts';
import { silent } from './failure.ts';
import type { CheckRunPage } from './read.ts';

/** The largest page that the Git host sends. */
export const perPage = 100;
/** The Git host reports the runs of at most 1,000 suites; more pages than this mean that something is wrong. */
const maxPages = 100;

/**
 * Every check run, page by page. A count that changes in between means that a run may have slipped from an unread page
 * to one already read, so the whole is unknown.
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

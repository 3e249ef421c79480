import { Effect } from 'effect';
import type { CheckRun, GitAnswer } from '../../../rules/gitAnswer.ts';
import { silent } from './failure.ts';
import type { CheckRunPage } from './read.ts';

/** The most that the Git host puts on a page. */
export const perPage = 100;
/** The Git host tells of no more than the runs of 1,000 suites; past this many pages something is wrong. */
const mostPages = 100;

/**
 * Every check run, page after page. A count that changes in between means that a run may have slipped from a page not
 * read yet to one already read, so that nothing can be said of the whole.
 */
export const everyCheckRun = (
  readPage: (page: number) => Effect.Effect<GitAnswer<CheckRunPage>>,
): Effect.Effect<GitAnswer<readonly CheckRun[]>> =>
  Effect.gen(function* () {
    const runs = new Map<number | string, CheckRun>();
    let total: number | undefined;
    for (let page = 1; page <= mostPages; page += 1) {
      const answer = yield* readPage(page);
      if (answer.is !== 'found') return answer;
      const read = answer.value;
      if (page > 1 && read.total !== total) return silent('the check runs changed while they were read');
      total = read.total;
      for (const [index, { id, ...run }] of read.runs.entries()) runs.set(id ?? `${page}.${index}`, run);
      const complete = !read.more && (read.runs.length < perPage || runs.size >= (total ?? 0));
      if (complete) return { is: 'found', value: [...runs.values()] } as const;
    }
    return silent(`more than ${mostPages} pages of check runs`);
  });

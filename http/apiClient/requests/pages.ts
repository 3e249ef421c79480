import { isObject } from '../../../rules/json.ts';
import type { ApiClient } from '../client.ts';

/** Rows of one answer: few enough to come at once, and most lists end within them. */
const pageSize = '500';

type Query = Readonly<Record<string, string | undefined>>;

/** The answers of a list, page by page, as they come. */
export async function* pagesOf({ ask }: Pick<ApiClient, 'ask'>, path: string, query: Query = {}) {
  let from: string | undefined;
  do {
    const answer = await ask('GET', path, { query: { ...query, limit: pageSize, continue: from } });
    const next = isObject(answer) ? answer['continue'] : undefined;
    yield answer;
    from = typeof next === 'string' && next !== '' ? next : undefined;
  } while (from !== undefined);
}

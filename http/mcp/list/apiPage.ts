import type { Items } from '../../api.ts';
import { answerOf, anything, list, number, object, optional, read, text } from '../../apiClient/shape.ts';
import { firstItems } from '../size.ts';
import type { Api } from '../tool.ts';
import { withoutSecrets } from '../withoutSecrets.ts';
import { cursorOf, placeOf } from './cursor.ts';
import { type Item, type Page, itemsCapacity } from './page.ts';

/** A list of the API that is read in pages. */
export interface ListRequest {
  readonly path: string;
  readonly query: Readonly<Record<string, string | undefined>>;
}

/** A list of the API and the requested part of it. */
interface ApiPageRequest extends ListRequest {
  /** What is listed: a cursor leads on in the same list alone. */
  readonly list: string;
  readonly limit: number;
  readonly cursor: string | undefined;
  /** Reads more of each item of the page; null for one that is gone. */
  readonly readEach?: ((items: readonly Item[]) => Promise<readonly (Item | null)[]>) | undefined;
}

const pageShape = answerOf<Items<Item>>()(
  object({ items: list(anything), continue: optional(text), remaining: optional(number) }),
);

/** One page of a list of the API; where it is too long, fewer items are requested until they fit. */
export async function apiPage({ ask }: Api, request: ApiPageRequest): Promise<Page> {
  const { list: of, path, query, cursor, readEach } = request;
  const from = cursor === undefined ? undefined : placeOf(of, cursor).id;
  for (let { limit } = request; ;) {
    const asked = { ...query, limit: String(limit), continue: from, remaining: 'true' };
    const { items, continue: next, remaining = 0 } = read(pageShape, await ask('GET', path, { query: asked }));
    const whole = (readEach === undefined ? items : await readEach(items)).map(withoutSecrets);
    const fitting = firstItems(whole, itemsCapacity);
    if (fitting.length === items.length)
      return {
        items: fitting.filter((item) => item !== null),
        ...(next !== undefined && { next: cursorOf(of, { id: next, key: '' }) }),
        left_out: remaining,
      };
    limit = fitting.length;
  }
}

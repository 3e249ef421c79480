import { pagesOf } from '../../apiClient/requests/pages.ts';
import type { Api } from '../tool.ts';
import type { Item } from './page.ts';

type Query = Readonly<Record<string, string | undefined>>;
interface Answer {
  readonly items: readonly Item[];
}

/** The items of a short list of the API. */
export async function itemsOf({ ask }: Api, path: string, query: Query = {}): Promise<readonly Item[]> {
  const { items } = (await ask('GET', path, { query })) as Answer;
  return items;
}

/** The items of a list that may be long, however many pages it has. */
export async function itemsOfPages(api: Api, path: string, query: Query = {}): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const page of pagesOf(api, path, query)) items.push(...(page as Answer).items);
  return items;
}

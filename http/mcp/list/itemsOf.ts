import type { Api } from '../tool.ts';
import type { Item } from './page.ts';

type Query = Readonly<Record<string, string | undefined>>;

/** The items of a list of the API. */
export async function itemsOf({ ask }: Api, path: string, query: Query = {}): Promise<readonly Item[]> {
  const { items } = (await ask('GET', path, { query })) as { readonly items: readonly Item[] };
  return items;
}

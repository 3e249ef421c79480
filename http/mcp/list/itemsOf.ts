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

import { anything, items, read } from '../../apiClient/shape.ts';
import type { Api } from '../tool.ts';
import type { Item } from './page.ts';

type Query = Readonly<Record<string, string | undefined>>;

/** The items of a short list of the API. */
export async function itemsOf({ ask }: Api, path: string, query: Query = {}): Promise<readonly Item[]> {
  return read(items(anything), await ask('GET', path, { query })).items;
}

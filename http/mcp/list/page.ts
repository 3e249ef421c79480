import { firstItems, maxText, sizeOf } from '../size.ts';
import { withoutSecrets } from '../withoutSecrets.ts';
import { cursorOf, type Place, placeOf } from './cursor.ts';

/** One of a list, as the API answers it. */
export type Item = Readonly<Record<string, unknown>>;

/** A list and the requested part of it. */
export interface PageRequest {
  /** What is listed: a cursor leads on in the same list alone. */
  readonly list: string;
  /** In the order of the API. */
  readonly items: readonly Item[];
  /** When an item came, where the newest are first; else they are ordered by name. */
  readonly timeOf?: ((item: Item) => unknown) | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
  /** Reads more of each item of the page; null for one that is gone. */
  readonly readEach?: ((items: readonly Item[]) => Promise<readonly (Item | null)[]>) | undefined;
}

/** A part of a list: `next` leads on, and is absent at the end. */
export interface Page {
  readonly items: readonly unknown[];
  readonly next?: string;
  readonly left_out: number;
}

/** The fields beside the items, with the longest possible cursor. */
const besidesItems = 1_000;
/** What the items of a page may take. */
export const itemsCapacity = maxText - besidesItems - sizeOf({ items: [] });

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const idOf = ({ id, name }: Item): string => textOf(id) || textOf(name);

function keyOf({ timeOf }: PageRequest, item: Item): string {
  if (timeOf === undefined) return textOf(item['name']);
  // Times with and without fractions of a second are compared.
  return new Date(Date.parse(textOf(timeOf(item))) || 0).toISOString();
}

/** Where a page begins. The last item of the page before may have been deleted since: then what comes after its place. */
function startOf(request: PageRequest, { id, key }: Place): number {
  const { items, timeOf } = request;
  const at = items.findIndex((item) => idOf(item) === id);
  if (at !== -1) return at + 1;
  const isBeyond = (other: string): boolean => (timeOf === undefined ? other >= key : other <= key);
  const beyond = items.findIndex((item) => isBeyond(keyOf(request, item)));
  return beyond === -1 ? items.length : beyond;
}

/** One page: at most as many items as were asked for, and as fit into what an agent reads. */
export async function pageOf(request: PageRequest): Promise<Page> {
  const { list, items, limit, cursor, readEach } = request;
  const start = cursor === undefined ? 0 : startOf(request, placeOf(list, cursor));
  const page = items.slice(start, start + limit);
  const read = (readEach === undefined ? page : await readEach(page)).map(withoutSecrets);
  const fitting = firstItems(read, itemsCapacity);
  const end = start + fitting.length;
  const last = items[end - 1];
  return {
    items: fitting.filter((item) => item !== null),
    ...(end < items.length &&
      last !== undefined && { next: cursorOf(list, { id: idOf(last), key: keyOf(request, last) }) }),
    left_out: items.length - end,
  };
}

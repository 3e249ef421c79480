import * as z from 'zod';
import { type Api, type Arguments, type Shape, type Tool, tool } from '../tool.ts';
import { apiPage, type ListRequest } from './apiPage.ts';
import { type Item, pageOf } from './page.ts';

/** What the API may narrow a list by, where it knows these fields of it. */
type Narrowed = Readonly<Record<'search' | 'state', string | undefined>>;

/** A tool that lists what its own arguments and those of every list select. */
export interface ListTool<S extends Shape> {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly routes: readonly string[];
  readonly input: S;
  /** The words for a state; absent where nothing listed has one. */
  readonly state?: z.ZodType<string>;
  /** The list of the API, which is read in pages. */
  readonly pages?: (args: Arguments<S>, narrowed: Narrowed) => ListRequest;
  /** Instead of that, of a short list, every item that its own arguments select, in the order of the API. */
  readonly all?: (api: Api, args: Arguments<S>, narrowed: Narrowed) => Promise<readonly Item[]>;
  /** The states of an item; absent where `all` has selected by it. */
  readonly statesOf?: (item: Item) => readonly unknown[];
  /** When an item came, where the newest are first; else they are ordered by name. */
  readonly timeOf?: (item: Item) => unknown;
  /** Reads more of each item of a page; null for one that is gone. */
  readonly readEach?: (api: Api, items: readonly Item[]) => Promise<readonly (Item | null)[]>;
}

/** The arguments of every list. */
interface Narrowing {
  readonly search?: string;
  readonly state?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

const maxItems = 200;
/** The items of a page where no limit is given. */
export const usualItems = 50;

const paging = {
  search: z.string().max(200).optional().describe('Only those whose name, display name or title contains this.'),
  limit: z
    .number()
    .int()
    .min(1)
    .max(maxItems)
    .optional()
    .describe(`At most so many, up to ${maxItems}; ${usualItems} if absent.`),
  cursor: z.string().optional().describe('`next` of the answer before, to go on behind it with the same arguments.'),
};

const output = {
  items: z.array(z.looseObject({})),
  next: z.string().optional().describe('The cursor that leads on; absent at the end of the list.'),
  left_out: z.number().int().min(0).describe('How many more there are behind these.'),
};

/** What `search` looks at. */
const searched = ['name', 'displayName', 'id', 'changeTitle'];

const isFound = (item: Item, search: string): boolean =>
  search === '' ||
  searched.some((field) => {
    const value = item[field];
    return typeof value === 'string' && value.toLowerCase().includes(search.toLowerCase());
  });

/** Answers with a page of a list: narrowed, and cut where it is longer than was asked for or than is read. */
export function listTool<S extends Shape>(list: ListTool<S>): Tool {
  const { name, title, about, routes, input, state, pages, all, statesOf, timeOf, readEach } = list;
  return tool({
    name,
    title,
    about,
    routes,
    does: 'reads',
    input: { ...input, ...(state && { state: state.optional() }), ...paging },
    output,
    run: async (api, args) => {
      const { limit = usualItems, cursor, search = '', state: wanted, ...own } = args as Narrowing;
      const [given, narrowed] = [own as Arguments<S>, { state: wanted, search: search || undefined }];
      const request = {
        list: JSON.stringify([name, wanted, search, own]),
        limit,
        cursor,
        readEach: readEach && ((page: readonly Item[]) => readEach(api, page)),
      };
      if (pages && all === undefined) return apiPage(api, { ...request, ...pages(given, narrowed) });
      const found = (await all?.(api, given, narrowed)) ?? [];
      return pageOf({
        ...request,
        items: found
          .filter((item) => wanted === undefined || (statesOf?.(item).includes(wanted) ?? true))
          .filter((item) => isFound(item, search)),
        timeOf,
      });
    },
  });
}

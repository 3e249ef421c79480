export const sortKeys = ['since', 'name', 'state'] as const;
export type SortKey = (typeof sortKeys)[number];

/** The filter and the order of a list of instances. */
export interface Filter {
  readonly states: readonly string[];
  readonly retrying: boolean;
  /** Shows only instances that have been in a state that does not rest for longer than this. */
  readonly stuckSeconds: number | null;
  readonly text: string;
  readonly sort: SortKey;
  readonly reversed: boolean;
  /** Whether the newest were asked for first, which a short list shows without being asked. */
  readonly newestFirst?: true;
  /** Further fields of a page, by their names in the address; empty ones are left out. */
  readonly own: Readonly<Record<string, string>>;
}

export const everything: Filter = {
  states: [],
  retrying: false,
  stuckSeconds: null,
  text: '',
  sort: 'since',
  reversed: false,
  own: {},
};

const unitSeconds = { s: 1, m: 60, h: 3600, d: 86_400 } as const;
const isUnit = (text: string): text is keyof typeof unitSeconds => text in unitSeconds;

/** Seconds from `90`, `5m`, `2h` or `1d`; null for anything else. */
export function readSeconds(text: string): number | null {
  const [, digits = '', unit = ''] = /^\s*(\d{1,9})\s*([a-z]?)\s*$/.exec(text.toLowerCase()) ?? [];
  if (digits === '' || Number(digits) === 0) return null;
  if (unit === '') return Number(digits);
  return isUnit(unit) ? Number(digits) * unitSeconds[unit] : null;
}

const isSortKey = (text: string): text is SortKey => sortKeys.some((key) => key === text);

/** The filter in the query of an address, with the fields that a page has of its own; unknown parts are ignored. */
export function readFilter(search: string, ownNames: readonly string[] = []): Filter {
  const query = new URLSearchParams(search);
  const sort = query.get('sort') ?? '';
  const key = sort.replace(/^-/, '');
  return {
    states: query
      .getAll('state')
      .flatMap((text) => text.split(','))
      .filter((state) => state !== ''),
    retrying: query.get('retrying') === 'true',
    stuckSeconds: readSeconds(query.get('stuck') ?? ''),
    text: query.get('q') ?? '',
    sort: isSortKey(key) ? key : 'since',
    reversed: sort.startsWith('-') && isSortKey(key),
    ...(sort === 'since' ? { newestFirst: true } : {}),
    own: Object.fromEntries(ownNames.map((name) => [name, query.get(name) ?? '']).filter(([, value]) => value !== '')),
  };
}

/** The query of an address for this filter; empty for the default. */
export function writeFilter(filter: Filter): string {
  const query = new URLSearchParams();
  if (filter.states.length > 0) query.set('state', filter.states.join(','));
  if (filter.retrying) query.set('retrying', 'true');
  if (filter.stuckSeconds !== null) query.set('stuck', String(filter.stuckSeconds));
  if (filter.text !== '') query.set('q', filter.text);
  for (const [name, value] of Object.entries(filter.own)) if (value !== '') query.set(name, value);
  if (filter.sort !== 'since' || filter.reversed || filter.newestFirst)
    query.set('sort', `${filter.reversed ? '-' : ''}${filter.sort}`);
  const text = query.toString().replaceAll('%2C', ',');
  return text === '' ? '' : `?${text}`;
}

/** Whether anything is left out by it; the order leaves out nothing. */
export const isNarrowed = ({ states, retrying, stuckSeconds, text, own }: Filter): boolean =>
  writeFilter({ ...everything, states, retrying, stuckSeconds, text, own }) !== '';

/** The order of the server. */
export const byName = { sort: 'name', reversed: false } as const;

/** Whether the order asked for is that of the server, in which a long list stands unless another is asked for. */
export const isInServerOrder = ({ sort, reversed, newestFirst }: Filter): boolean =>
  !reversed && sort !== 'state' && newestFirst !== true;

/** The filter with another order; one that is asked for in a long list is always in the address. */
export function withOrder(filter: Filter, order: Pick<Filter, 'sort' | 'reversed'>, isLong: boolean): Filter {
  const { states, retrying, stuckSeconds, text, own } = filter;
  const isNewestFirst = isLong && order.sort === 'since' && !order.reversed;
  const { sort, reversed } = order;
  const ordered = { states, retrying, stuckSeconds, text, sort, reversed, own };
  return isNewestFirst ? { ...ordered, newestFirst: true } : ordered;
}

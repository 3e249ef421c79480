import type { Instance } from '../api.ts';

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
  if (filter.sort !== 'since' || filter.reversed) query.set('sort', `${filter.reversed ? '-' : ''}${filter.sort}`);
  const text = query.toString().replaceAll('%2C', ',');
  return text === '' ? '' : `?${text}`;
}

/** Whether anything is left out by it; the order leaves out nothing. */
export const isNarrowed = (filter: Filter): boolean =>
  writeFilter({ ...filter, sort: everything.sort, reversed: everything.reversed }) !== '';

/** What a filter looks at. */
export interface Filtered {
  readonly state: string;
  readonly retrying: boolean;
  readonly since: string;
  /** Everything in which the text may occur, in lower case. */
  readonly searched: string;
}

/** The text that a filter searches. */
export const searchedIn = (words: readonly (string | undefined)[]): string => words.join(' ').toLowerCase();

/** A redacted copy may lack some of these fields. */
export const filteredInstance = (instance: Instance): Filtered => {
  const { state, retrying, since, name, kind, project, environment, reason, columns }: Partial<Instance> = instance;
  const words = [name, kind, project, environment, reason, ...Object.values(columns ?? {})];
  return { state, retrying, since, searched: searchedIn(words) };
};

interface Given {
  readonly now: number;
  readonly resting: ReadonlySet<string>;
}

/** What tells whether something matches the filter, for thousands of things; what rests is never stuck. */
export function shownBy(filter: Filter, { now, resting }: Given): (item: Filtered) => boolean {
  const { states, retrying, stuckSeconds, text } = filter;
  const words = text.toLowerCase().split(/\s+/);
  const isStuck = ({ state, since }: Filtered): boolean =>
    stuckSeconds === null || (!resting.has(state) && now - Date.parse(since) > stuckSeconds * 1000);
  return (item) =>
    (states.length === 0 || states.includes(item.state)) &&
    (!retrying || item.retrying) &&
    isStuck(item) &&
    words.every((word) => item.searched.includes(word));
}

const inOrder = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** What an order looks at. */
export interface Ordered {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly since: string;
}

/** Times newest first, words alphabetically; ties by name and id, so that no row changes places without a reason. */
export function compareInstances({ sort, reversed }: Pick<Filter, 'sort' | 'reversed'>) {
  const first = {
    since: (a: Ordered, b: Ordered) => inOrder(b.since, a.since),
    name: (a: Ordered, b: Ordered) => inOrder(a.name, b.name),
    state: (a: Ordered, b: Ordered) => inOrder(a.state, b.state),
  }[sort];
  const sign = reversed ? -1 : 1;
  return (a: Ordered, b: Ordered) => sign * first(a, b) || inOrder(a.name, b.name) || inOrder(a.id, b.id);
}

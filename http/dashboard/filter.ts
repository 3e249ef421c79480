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
}

export const everything: Filter = {
  states: [],
  retrying: false,
  stuckSeconds: null,
  text: '',
  sort: 'since',
  reversed: false,
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

/** The filter in the query of an address; unknown parts are ignored. */
export function readFilter(search: string): Filter {
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
  };
}

/** The query of an address for this filter; empty for the default. */
export function writeFilter(filter: Filter): string {
  const query = new URLSearchParams();
  if (filter.states.length > 0) query.set('state', filter.states.join(','));
  if (filter.retrying) query.set('retrying', 'true');
  if (filter.stuckSeconds !== null) query.set('stuck', String(filter.stuckSeconds));
  if (filter.text !== '') query.set('q', filter.text);
  if (filter.sort !== 'since' || filter.reversed) query.set('sort', `${filter.reversed ? '-' : ''}${filter.sort}`);
  const text = query.toString().replaceAll('%2C', ',');
  return text === '' ? '' : `?${text}`;
}

/** A redacted copy may lack some of these fields. */
const searched = ({ name, kind, project, environment, reason = '', columns = {} }: Partial<Instance>) =>
  [name, kind, project, environment, reason, ...Object.values(columns)].join(' ').toLowerCase();

/** Whether an instance matches the filter; a resting state is never stuck. */
export function isShown(filter: Filter, instance: Instance, given: { now: number; resting: ReadonlySet<string> }) {
  const { states, retrying, stuckSeconds, text } = filter;
  if (states.length > 0 && !states.includes(instance.state)) return false;
  if (retrying && !instance.retrying) return false;
  if (stuckSeconds !== null) {
    if (given.resting.has(instance.state)) return false;
    if (given.now - Date.parse(instance.since) <= stuckSeconds * 1000) return false;
  }
  const words = text.toLowerCase().split(/\s+/);
  return text === '' || words.every((word) => searched(instance).includes(word));
}

const inOrder = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Times newest first, words alphabetically; ties by name and kind, so that no row changes places without a reason. */
export function compareInstances({ sort, reversed }: Pick<Filter, 'sort' | 'reversed'>) {
  const first = {
    since: (a: Instance, b: Instance) => inOrder(b.since, a.since),
    name: (a: Instance, b: Instance) => inOrder(a.name, b.name),
    state: (a: Instance, b: Instance) => inOrder(a.state, b.state),
  }[sort];
  const sign = reversed ? -1 : 1;
  return (a: Instance, b: Instance) => sign * first(a, b) || inOrder(a.name, b.name) || inOrder(a.id, b.id);
}

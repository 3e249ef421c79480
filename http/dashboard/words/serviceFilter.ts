import type { Instance, Summary } from '../../api.ts';
import { everything, type Filter, readFilter, writeFilter } from '../filter.ts';
import { detailOf } from './details.ts';
import { matching } from './matching.ts';
import { lookOf } from './state.ts';

/** The filter and the order of a list of services; `kind` is a source, empty for any. */
export interface ServiceFilter extends Filter {
  readonly kind: string;
}

/** A service with the instance of its machine, which knows since when; undefined until that is read. */
export interface ServiceRow {
  readonly id: string;
  readonly service: Summary;
  readonly instance: Instance | undefined;
}

export const anyService: ServiceFilter = { ...everything, sort: 'name', kind: '' };

/** What people call the sources of services. */
export const kindWords: Readonly<Record<string, string>> = {
  image: 'Image',
  git: 'Repository',
  function: 'Function',
};

export const kindOf = (service: Summary): string => detailOf(service, 'source');

/** The filter in the query of an address; unknown parts are ignored. */
export function readServiceFilter(search: string): ServiceFilter {
  const query = new URLSearchParams(search);
  const filter = readFilter(search);
  const kind = query.get('kind') ?? '';
  return {
    ...filter,
    sort: query.has('sort') ? filter.sort : anyService.sort,
    kind: kind in kindWords ? kind : '',
  };
}

/** The query of an address for this filter; empty for the default. */
export function writeServiceFilter(filter: ServiceFilter): string {
  const query = new URLSearchParams(writeFilter({ ...filter, sort: everything.sort, reversed: false }));
  if (filter.kind !== '') query.set('kind', filter.kind);
  const { sort, reversed } = filter;
  if (sort !== anyService.sort || reversed) query.set('sort', `${reversed ? '-' : ''}${sort}`);
  const text = query.toString().replaceAll('%2C', ',');
  return text === '' ? '' : `?${text}`;
}

/** Services with their instances, which are read beside them. */
export const rowsOf = (services: readonly Summary[], instances: ReadonlyMap<string, Instance>): readonly ServiceRow[] =>
  services.map((service) => {
    const instance = instances.get(`coreapps:${service.name}`);
    return { id: instance?.uid ?? service.name, service, instance };
  });

export const sinceOf = ({ service, instance }: ServiceRow): string => instance?.since ?? service.createdAt;

const isStuck = (row: ServiceRow, seconds: number, now: number): boolean =>
  lookOf(row.service.state).tone === 'waiting' && now - Date.parse(sinceOf(row)) > seconds * 1000;

/** The rows that a filter leaves; `wordOf` is what people call a project. */
export function shownRows(
  rows: readonly ServiceRow[],
  filter: ServiceFilter,
  { now, wordOf }: { readonly now: number; readonly wordOf?: (project: string) => string },
): readonly ServiceRow[] {
  const { states, retrying, stuckSeconds, text, kind } = filter;
  const services = rows.map(({ service }) => service);
  const found = new Set(text === '' ? services : matching(services, text, wordOf));
  return rows
    .filter((row) => found.has(row.service))
    .filter(({ service }) => states.length === 0 || states.includes(service.state))
    .filter(({ service }) => kind === '' || kindOf(service) === kind)
    .filter(({ instance }) => !retrying || instance?.retrying === true)
    .filter((row) => stuckSeconds === null || isStuck(row, stuckSeconds, now))
    .toSorted(inOrder(filter));
}

/** The worst first. */
const stateOrder = ['failed', 'pending', 'draft', 'deleting', 'ready'];

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Ties by name, so that no row changes places without a reason. */
function inOrder({ sort, reversed }: Pick<ServiceFilter, 'sort' | 'reversed'>) {
  const byName = (a: ServiceRow, b: ServiceRow) => byText(a.service.name, b.service.name);
  const first = {
    name: byName,
    since: (a: ServiceRow, b: ServiceRow) => byText(sinceOf(b), sinceOf(a)),
    state: (a: ServiceRow, b: ServiceRow) => stateOrder.indexOf(a.service.state) - stateOrder.indexOf(b.service.state),
  }[sort];
  return (a: ServiceRow, b: ServiceRow) => (reversed ? -1 : 1) * first(a, b) || byName(a, b);
}

/** How many services are in each state, the worst first; states without one are left out. */
export function countsByState(services: readonly Summary[]): readonly (readonly [state: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const { state } of services) counts.set(state, (counts.get(state) ?? 0) + 1);
  return stateOrder.flatMap((state) => {
    const count = counts.get(state);
    return count === undefined ? [] : [[state, count] as const];
  });
}

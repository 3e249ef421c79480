import type { Instance, Summary } from '../../api.ts';
import { detailOf } from './details.ts';
import { compareInstances, type Filter, type Filtered, isShown, type Ordered, searchedIn } from '../filter.ts';

/** The states of a service in the order in which they are counted, with their words. */
export const serviceStates = [
  ['ready', 'Ready'],
  ['pending', 'Pending'],
  ['failed', 'Failed'],
  ['draft', 'Draft'],
  ['deleting', 'Deleting'],
] as const;

const kinds: Readonly<Record<string, string>> = { image: 'image', git: 'repository', function: 'function' };

/** The kinds of services by their source, as the address has them. */
export const serviceKinds: readonly string[] = Object.values(kinds);

/** The kind of a service; empty where its source is not known. */
export const kindOf = (service: Summary): string => kinds[detailOf(service, 'source')] ?? '';

/** In these nothing more happens by itself. */
const resting: ReadonlySet<string> = new Set(['ready', 'failed', 'draft']);

/** A service with what its machine tells of it, and what filters and orders look at. */
export interface ServiceRow {
  readonly service: Summary;
  readonly instance: Instance | undefined;
  readonly filtered: Filtered;
  readonly ordered: Ordered;
}

/** Services with their instances, which are found by name. */
export function serviceRows(
  services: readonly Summary[],
  instances: Iterable<Instance>,
  projectWord: (name: string) => string,
): readonly ServiceRow[] {
  const byName = new Map([...instances].map((instance) => [instance.name, instance]));
  return services.map((service) => {
    const instance = byName.get(service.name);
    return { service, instance, filtered: filteredBy(service, instance, projectWord), ordered: orderedBy(service) };
  });
}

/** A redacted copy may lack some of these fields. */
function filteredBy(service: Summary, instance: Instance | undefined, projectWord: (name: string) => string): Filtered {
  const { name, displayName, state, message, project, environment }: Partial<Summary> = service;
  return {
    state,
    retrying: instance?.retrying ?? false,
    since: instance?.since ?? service.createdAt,
    searched: searchedIn([name, displayName, state, message, project, projectWord(project), environment]),
  };
}

const orderedBy = ({ name, displayName, state, createdAt }: Summary): Ordered => ({
  id: name,
  name: displayName,
  state,
  since: createdAt,
});

/** The services in an order; `since` orders them by their age. */
export function orderedServices(
  rows: readonly ServiceRow[],
  order: Pick<Filter, 'sort' | 'reversed'>,
): readonly ServiceRow[] {
  const compare = compareInstances(order);
  return rows.toSorted((a, b) => compare(a.ordered, b.ordered));
}

/** The services that match a filter. */
export function shownServices(rows: readonly ServiceRow[], filter: Filter, now: number): readonly ServiceRow[] {
  const kind = filter.own['kind'] ?? '';
  return rows
    .filter(({ service }) => kind === '' || kindOf(service) === kind)
    .filter(({ filtered }) => isShown(filter, filtered, { now, resting }));
}

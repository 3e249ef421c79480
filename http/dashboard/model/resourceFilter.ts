import type { Instance, Summary } from '../../api.ts';
import { detailOf } from './details.ts';
import { type Filter, isInServerOrder } from './filter.ts';
import { compareInstances, type Filtered, type Ordered, searchedIn, shownBy } from './filtered.ts';

/** The states of a resource in the order in which they are counted, with their words. */
export const resourceStates = [
  ['ready', 'Ready'],
  ['pending', 'Pending'],
  ['failed', 'Failed'],
  ['draft', 'Draft'],
  ['deleting', 'Deleting'],
] as const;

const sources: Readonly<Record<string, string>> = { image: 'image', git: 'repository', function: 'function' };

/** The kind of a resource in a word: the source of a service, the engine of a database; empty where it is not known. */
export function kindOf(resource: Summary): string {
  if (resource.kind === 'CoreApp') return sources[detailOf(resource, 'source')] ?? '';
  if (resource.kind === 'CoreLogicalDatabase') return 'logical';
  if (resource.kind === 'CoreObjectStore') return detailOf(resource, 'mode') === 'Server' ? 'object store' : 'bucket';
  return detailOf(resource, 'engine') || 'database';
}

/** The kinds of some resources, each once, as the address has them. */
export const kindsIn = (resources: readonly Summary[]): readonly string[] =>
  [...new Set(resources.map(kindOf))].filter((kind) => kind !== '').toSorted();

/** The machine that tells of a resource of each kind whether it is retried and since when it is in its state. */
export const machineOfKind: Readonly<Record<string, string>> = {
  CoreApp: 'service',
  CoreDatabase: 'database',
  CoreLogicalDatabase: 'logicalDatabase',
  CoreObjectStore: 'objectStore',
};

/** In these nothing more happens by itself. */
const resting: ReadonlySet<string> = new Set(['ready', 'failed', 'draft']);

/** A resource with what its machine tells of it, and the fields that filters and orders read. */
export interface ResourceRow {
  readonly resource: Summary;
  readonly instance: Instance | undefined;
  readonly filtered: Filtered;
  readonly ordered: Ordered;
}

const keyOf = ({ kind, name }: Pick<Summary, 'kind' | 'name'>): string => `${kind} ${name}`;

/** Resources with their instances, which are found by kind and name. */
export function resourceRows(
  resources: readonly Summary[],
  instances: Iterable<Instance>,
  projectWord: (name: string) => string,
): readonly ResourceRow[] {
  const byKey = new Map([...instances].map((instance) => [keyOf(instance), instance]));
  return resources.map((resource) => {
    const instance = byKey.get(keyOf(resource));
    return {
      resource,
      instance,
      filtered: filteredBy(resource, instance, projectWord),
      ordered: orderedBy(resource),
    };
  });
}

/** A redacted copy may lack some of these fields. */
function filteredBy(
  resource: Summary,
  instance: Instance | undefined,
  projectWord: (name: string) => string,
): Filtered {
  const { name, displayName, state, message, project, environment }: Partial<Summary> = resource;
  return {
    state,
    retrying: instance?.retrying ?? false,
    since: instance?.since ?? resource.createdAt,
    searched: searchedIn([
      name,
      displayName,
      state,
      message,
      project,
      projectWord(project),
      environment,
      kindOf(resource),
    ]),
  };
}

const orderedBy = ({ name, displayName, state, createdAt }: Summary): Ordered => ({
  id: name,
  name: displayName,
  state,
  since: createdAt,
});

/** The resources in an order; `since` orders them by their age. */
export function orderedResources(
  rows: readonly ResourceRow[],
  order: Pick<Filter, 'sort' | 'reversed'>,
): readonly ResourceRow[] {
  const compare = compareInstances(order);
  return rows.toSorted((a, b) => compare(a.ordered, b.ordered));
}

/** Whether a filter asks for what the server does not find: then the page reads all rows and looks itself. */
export const isLeftToPage = (filter: Filter): boolean =>
  filter.retrying || filter.stuckSeconds !== null || (filter.own['kind'] ?? '') !== '' || !isInServerOrder(filter);

/** The resources that match a filter. */
export function shownResources(rows: readonly ResourceRow[], filter: Filter, now: number): readonly ResourceRow[] {
  const kind = filter.own['kind'] ?? '';
  const isShown = shownBy(filter, { now, resting });
  return rows.filter(({ resource, filtered }) => (kind === '' || kindOf(resource) === kind) && isShown(filtered));
}

import type { Instance, Summary } from '../../api.ts';
import { detailOf } from './details.ts';
import { compareInstances, type Filter, type Filtered, isShown } from '../filter.ts';

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

/** A service with what its machine tells of it: since when it is in its state, and whether it is retried. */
export interface ServiceRow {
  readonly service: Summary;
  readonly instance: Instance | undefined;
}

/** Services with their instances, which are found by name. */
export function serviceRows(services: readonly Summary[], instances: Iterable<Instance>): readonly ServiceRow[] {
  const byName = new Map([...instances].map((instance) => [instance.name, instance]));
  return services.map((service) => ({ service, instance: byName.get(service.name) }));
}

/** A redacted copy may lack some of these fields. */
const filteredRow = ({ service, instance }: ServiceRow, projectWord: (name: string) => string): Filtered => {
  const { name, displayName, state, message, project, environment }: Partial<Summary> = service;
  return {
    state,
    retrying: instance?.retrying ?? false,
    since: instance?.since ?? service.createdAt,
    words: [name, displayName, state, message ?? '', project, projectWord(project), environment],
  };
};

const orderedRow = ({ service: { name, displayName, state, createdAt } }: ServiceRow) => ({
  id: name,
  name: displayName,
  state,
  since: createdAt,
});

interface Given {
  readonly now: number;
  readonly projectWord: (name: string) => string;
}

/** The services that match a filter, in its order; `since` orders them by their age. */
export const shownServices = (rows: readonly ServiceRow[], filter: Filter, given: Given): readonly ServiceRow[] => {
  const compare = compareInstances(filter);
  const kind = filter.own['kind'] ?? '';
  return rows
    .filter(({ service }) => kind === '' || kindOf(service) === kind)
    .filter((row) => isShown(filter, filteredRow(row, given.projectWord), { now: given.now, resting }))
    .toSorted((a, b) => compare(orderedRow(a), orderedRow(b)));
};

import type { Instance, Summary } from '../../api.ts';
import { compareInstances, type Filter, type Filtered, isShown } from '../filter.ts';

/** The states of a service in the order in which they are counted, with their words. */
export const serviceStates = [
  ['ready', 'Ready'],
  ['pending', 'Pending'],
  ['failed', 'Failed'],
  ['draft', 'Draft'],
  ['deleting', 'Deleting'],
] as const;

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
  return rows
    .filter((row) => isShown(filter, filteredRow(row, given.projectWord), { now: given.now, resting }))
    .toSorted((a, b) => compare(orderedRow(a), orderedRow(b)));
};

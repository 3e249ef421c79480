import type { Instance } from '../../api.ts';
import type { Filter } from './filter.ts';

/** The fields that a filter reads. */
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

interface FilterInput {
  readonly now: number;
  readonly resting: ReadonlySet<string>;
}

/** A predicate for the filter, compiled once for thousands of items; an item at rest is never stuck. */
export function shownBy(filter: Filter, { now, resting }: FilterInput): (item: Filtered) => boolean {
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

/** The fields that an order reads. */
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

import { computed, type ReadonlySignal } from '@preact/signals';
import type { Instance, StreamEvent } from '../../api.ts';
import { applyEvents } from './applyEvents.ts';
import { firstRows, isBeyond, isWhole, type Pages } from './pages.ts';
import type { Loaded } from './reader.ts';
import { type PagesOf, pagesReader } from './usePages.ts';
import { withQuery, pathTo } from '../api.ts';

type Instances = Pages<Instance>;

/** The live instances of a machine by their ids, as far as they are read, kept current by the event stream. */
export interface Fleet {
  readonly instances: ReadonlySignal<ReadonlyMap<string, Instance>>;
  /** Whether all of them are read. */
  readonly isRead: ReadonlySignal<boolean>;
  readonly loaded: ReadonlySignal<Loaded<Instances>>;
  readonly counts: ReadonlySignal<Readonly<Record<string, number>>>;
  readonly retrying: ReadonlySignal<number>;
  readonly readOn: () => void;
}

/** A fleet, with the number of instances that somebody wants of it. */
interface FleetEntry {
  readonly fleet: Fleet;
  wanted: number;
}

const fleets = new Map<string, FleetEntry>();

/** The instances of a machine, read once for all pages, at least so many. */
export function fleetOf(machine: string, wanted = firstRows): Fleet {
  const entry = fleets.get(machine) ?? startFleet(machine);
  if (wanted > entry.wanted) {
    entry.wanted = wanted;
    entry.fleet.readOn();
  }
  return entry.fleet;
}

/** The instances of a machine as far as they are in memory. */
export const instancesInMemory = (machine: string): readonly Instance[] => [
  ...(fleets.get(machine)?.fleet.instances.value.values() ?? []),
];

/** The fleet of a machine that is read whole; null where it is not. */
export function wholeFleet(machine: string): Fleet | null {
  const fleet = fleets.get(machine)?.fleet;
  return fleet?.isRead.value === true ? fleet : null;
}

/** Some instances after events, without those that do not belong among them, or that a later page brings. */
export function withEvents(
  before: Instances,
  events: readonly StreamEvent[],
  { machine, isIn = () => true }: { readonly machine: string; readonly isIn?: (instance: Instance) => boolean },
): Instances {
  if (!events.some(({ data }) => 'machine' in data && data.machine === machine)) return before;
  const byId = new Map(before.items.map((instance) => [instance.id, instance]));
  if (!applyEvents(byId, machine, events)) return before;
  const known = new Set(before.items.map(({ id }) => id));
  const items = [...byId.values()].filter((one) => isIn(one) && (known.has(one.id) || !isBeyond(before, one.name)));
  return { ...before, items: isWhole(before) ? items : items.toSorted(inOrder) };
}

const inOrder = (one: Instance, other: Instance) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0);

/** The instances of a machine that a query selects. */
export const instancesOf = (
  machine: string,
  query: Readonly<Record<string, string>> = {},
  isIn: (instance: Instance) => boolean = () => true,
): PagesOf<Instance> => ({
  path: withQuery(pathTo('GET /machines/{machine}/instances', { machine }), query),
  keep: (list) => (events) => {
    list.amend((value) => withEvents(value, events, { machine, isIn }));
    return false;
  },
});

function startFleet(machine: string): FleetEntry {
  const reader = pagesReader(instancesOf(machine));
  const { loaded, readOn } = reader;
  const instances = computed(() => new Map(loaded.value.value?.items.map((instance) => [instance.id, instance])));
  const entry: FleetEntry = {
    wanted: firstRows,
    fleet: {
      instances,
      isRead: computed(() => loaded.value.value !== null && isWhole(loaded.value.value)),
      loaded,
      counts: computed(() => countBy(instances.value.values())),
      retrying: computed(() => [...instances.value.values()].filter((instance) => instance.retrying).length),
      readOn,
    },
  };
  fleets.set(machine, entry);
  reader.follow({ concerns: () => false, wanted: () => entry.wanted });
  return entry;
}

function countBy(instances: Iterable<Instance>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { state } of instances) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

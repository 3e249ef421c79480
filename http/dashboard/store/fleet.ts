import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Instance, Instances, StreamEvent } from '../../api.ts';
import { type Answer, api, mayPass, read } from '../api.ts';
import { applyEvents } from './applyEvents.ts';
import { listen, missed } from './live.ts';

/** All live instances of a machine by their ids, kept current by the event stream. */
export interface Fleet {
  readonly instances: ReadonlySignal<ReadonlyMap<string, Instance>>;
  readonly isRead: ReadonlySignal<boolean>;
  /** When the list was last known to be complete, by this browser's clock; null before it was read. */
  readonly readAt: ReadonlySignal<number | null>;
  readonly failed: ReadonlySignal<Exclude<Answer<Instances>, { readonly is: 'ok' }> | null>;
  readonly counts: ReadonlySignal<Readonly<Record<string, number>>>;
  readonly retrying: ReadonlySignal<number>;
}

const retryMs = 4000;
const fleets = new Map<string, Fleet>();

/** The instances of a machine, read once for all pages. */
export function fleetOf(machine: string): Fleet {
  const known = fleets.get(machine);
  if (known) return known;
  const fleet = startFleet(machine);
  fleets.set(machine, fleet);
  return fleet;
}

/** The instances of a machine as far as they are in memory. */
export const instancesInMemory = (machine: string): readonly Instance[] => [
  ...(fleets.get(machine)?.instances.value.values() ?? []),
];

function startFleet(machine: string): Fleet {
  const instances = signal<ReadonlyMap<string, Instance>>(new Map());
  const readAt = signal<number | null>(null);
  const isRead = computed(() => readAt.value !== null);
  const failed = signal<Fleet['failed']['value']>(null);
  /** Events that arrive while the list is read: they may be newer than the list. */
  let meanwhile: StreamEvent[] | null = null;
  let readAgain = false;

  const reload = async (): Promise<void> => {
    if (meanwhile) {
      readAgain = true;
      return;
    }
    meanwhile = [];
    const answer = await read<Instances>(api.instances(machine));
    const events = meanwhile;
    meanwhile = null;
    if (answer.is === 'ok') {
      const map = new Map(answer.value.items.map((instance) => [instance.id, instance]));
      applyEvents(map, machine, events);
      instances.value = map;
      readAt.value = Date.now();
    }
    failed.value = answer.is === 'ok' ? null : answer;
    if (mayPass(answer)) setTimeout(() => void reload(), retryMs);
    if (!readAgain) return;
    readAgain = false;
    return reload();
  };

  listen((events) => {
    meanwhile?.push(...events);
    const next = new Map(instances.peek());
    if (applyEvents(next, machine, events)) instances.value = next;
  });
  effect(() => {
    void missed.value;
    void reload();
  });

  const counts = computed(() => countBy(instances.value.values()));
  const retrying = computed(() => [...instances.value.values()].filter((instance) => instance.retrying).length);
  return { instances, isRead, readAt, failed, counts, retrying };
}

function countBy(instances: Iterable<Instance>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { state } of instances) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

import type { Instance, Machine, StreamEvent } from '../../../api.ts';
import { withQuery } from '../../api.ts';
import { changedIn } from '../../store/list.ts';
import { instancesOf } from '../../store/fleet.ts';
import { useMachines } from '../../store/machines.ts';
import { isWhole } from '../../store/pages.ts';
import { type PagesOf, usePages } from '../../store/usePages.ts';
import { watchedStates } from './attention.ts';
import { machineOfKind } from '../../model/resourceFilter.ts';

/** The machines of objects; those of drafts and retries say the same again. */
const machines = [
  ...Object.values(machineOfKind),
  'databaseBackup',
  'projectReady',
  'build',
  'dashboardDomainReady',
  'dnsProviderReady',
] as const;

/** Whether a service that has one of some builds was written: it may be at another build by now. */
const mayBePast = (builds: readonly Instance[], events: readonly StreamEvent[]): boolean => {
  const changed = changedIn(events, 'CoreApp');
  return builds.some(({ columns }) => changed.has(columns['app'] ?? ''));
};

/** Of a service its current build alone, which the server knows. */
function currentBuilds({ path, keep }: PagesOf<Instance>): PagesOf<Instance> {
  return {
    path: withQuery(path, { current: 'true' }),
    keep: (list) => {
      const concerns = keep(list);
      return (events) => concerns(events) || mayBePast(list.loaded.peek().value?.items ?? [], events);
    },
  };
}

/** The instances of a machine in states that may need attention. */
function watchedIn(machine: Machine): PagesOf<Instance> {
  const states = watchedStates(machine);
  const watched = instancesOf(machine.name, { state: states.join(',') }, ({ state }) => states.includes(state));
  return machine.name === 'build' ? currentBuilds(watched) : watched;
}

/** Everything that may need attention, as the server finds it by state; whether all of it is read. */
export function useTroubled(): { readonly instances: readonly Instance[]; readonly isRead: boolean } {
  const known = useMachines().value?.items ?? [];
  const lists = machines.map((name) => {
    const machine = known.find((one) => one.name === name);
    return usePages(machine ? watchedIn(machine) : null, Infinity);
  });
  return {
    instances: lists.flatMap(({ value }) => value?.items ?? []),
    isRead: lists.every(({ value }) => value !== null && isWhole(value)),
  };
}

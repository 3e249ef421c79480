import type { Items, Machine } from '../../api.ts';
import { api } from '../api.ts';
import { fleetOf } from './fleet.ts';
import { mayReadSensitive } from './session.ts';
import { useLoaded } from './loaded.ts';

const never = () => false;

/** Every machine with its table. Tables do not change while the server runs; counts come from the instances. */
export const useMachines = () => useLoaded<Items<Machine>>(api.machines, never);

/** Whether the reader's role hides what stands where: then no count means nothing. */
export const isHidden = ({ counts }: Machine): boolean => counts === null && !mayReadSensitive();

/** A machine's counts: from its instances once they are read, until then from the server. */
export function countsOf(machine: Machine) {
  const fleet = fleetOf(machine.name);
  const { isRead, counts, retrying, instances } = fleet;
  if (!isRead.value) {
    const known = machine.counts ?? {};
    const total = Object.values(known).reduce((sum, count) => sum + count, 0);
    return { counts: known, retrying: machine.retrying, total };
  }
  return { counts: counts.value, retrying: retrying.value, total: instances.value.size };
}

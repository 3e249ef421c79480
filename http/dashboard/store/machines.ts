import type { Items, Machine, StreamEvent } from '../../api.ts';
import { api } from '../api.ts';
import { wholeFleet } from './fleet.ts';
import { useLoaded } from './loaded.ts';
import { mayReadSensitive } from './session.ts';

const never = () => false;
/** Counts are read at most so often while instances move. */
const countedMs = 1000;

/** Every machine with its table, which does not change while the server runs. */
export const useMachines = () => useLoaded<Items<Machine>>(api.machines, never);

const isCounted = ({ event, data }: StreamEvent, machine?: string): boolean =>
  (event === 'move' || event === 'instance' || event === 'deleted') &&
  (machine === undefined || data.machine === machine);

/** The same with counts that follow what moves. */
export const useCountedMachines = () => useLoaded<Items<Machine>>(api.machines, (event) => isCounted(event), countedMs);

/** One machine with counts that follow what moves; nothing is read without a name. */
export const useCountedMachine = (name: string | null) =>
  useLoaded<Machine>(name && api.machine(name), (event) => isCounted(event, name ?? ''), countedMs).value;

/** Whether the reader's role hides what stands where: then no count means nothing. */
export const isHidden = ({ counts }: Machine): boolean => counts === null && !mayReadSensitive();

const totalOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** A machine's counts: from its instances where all are read, otherwise from the server. */
export function countsOf({ name, counts, retrying }: Machine) {
  const fleet = wholeFleet(name);
  const known = fleet?.counts.value ?? counts ?? {};
  return { counts: known, retrying: fleet?.retrying.value ?? retrying, total: totalOf(known) };
}

/** The number of instances of a machine, if one is given; null until it is known. */
export function useTotal(machine: string | null): number | null {
  const counts = useCountedMachine(machine)?.counts;
  return counts ? totalOf(counts) : null;
}

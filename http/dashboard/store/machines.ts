import type { Machine, StreamEvent } from '../../api.ts';
import { pathTo } from '../api.ts';
import { totalOf } from '../model/stateCounts.ts';
import { wholeFleet } from './fleet.ts';
import { useLoaded } from './loaded.ts';
import { mayReadSensitive } from './session.ts';

const never = () => false;
/** Counts are read at most so often while instances move. */
const countedMs = 1000;

/** Every machine with its table, which does not change while the server runs. */
export const useMachines = () => useLoaded(pathTo('GET /machines', {}), never);

const isCounted = ({ event }: StreamEvent): boolean => event === 'move' || event === 'instance' || event === 'deleted';

/** The same with counts that follow what moves. */
export const useCountedMachines = () => useLoaded(pathTo('GET /machines', {}), isCounted, countedMs);

/** Whether the reader's role hides what stands where: then no count means nothing. */
export const isHidden = ({ counts }: Machine): boolean => counts === null && !mayReadSensitive();

/** A machine's counts: from its instances where all are read, otherwise from the server. */
export function countsOf({ name, counts, retrying }: Machine) {
  const fleet = wholeFleet(name);
  const known = fleet?.counts.value ?? counts ?? {};
  return { counts: known, retrying: fleet?.retrying.value ?? retrying, total: totalOf(known) };
}

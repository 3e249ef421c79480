import { idleMachines } from './idleMachines.ts';
import { type Line, times } from './line.ts';
import { machinesByBareLoop, machinesByRuntime } from './machines.ts';
import { median } from './measure.ts';

/** 0.7 of the 24.3 ms, on two cores, that the life of a database of a hundred cost before passes went by what they read. */
const lifeCostsMs = 17;

/** As with builds; both sides are seen to have made the same writes. */
export async function* machineLines(
  called: string,
  { count, rounds }: { readonly count: number; readonly rounds: number },
): AsyncIterable<Line> {
  const ratios: number[] = [];
  const processor: number[] = [];
  const rates: number[] = [];
  const costs: number[] = [];
  let [moves, statusWrites, patches] = [0, 0, 0];
  for (let round = 0; round < rounds; round++) {
    const bare = await machinesByBareLoop(count);
    const ours = await machinesByRuntime(count);
    const [done, wanted] = [ours, bare].map((one) => JSON.stringify([one.moves, one.writes]));
    if (done !== wanted) throw new Error(`moves and writes ${done}, and ${wanted} by the bare loop`);
    ratios.push(ours.perSecond / bare.perSecond);
    rates.push(ours.perSecond);
    processor.push(ours.cpuMs / bare.cpuMs);
    costs.push(ours.cpuMs / count);
    moves += ours.moves;
    statusWrites += ours.writes.status;
    patches += ours.writes.object;
  }
  const lives = count * rounds;
  const title = `${count} ${called}`;
  yield {
    what: `${title} from draft to gone, against a bare loop that makes the same writes`,
    figure: `${times(median(ratios))} (${median(rates).toFixed(0)} objects/s; ${ratios.map(times).join(', ')}; ${times(median(processor))} of its processor time)`,
    budget: '≥ 0.9 ×',
    holds: median(ratios) >= 0.9,
  };
  yield {
    what: `${title}: processor time of each, from draft to gone`,
    figure: `${median(costs).toFixed(1)} ms`,
    budget: `≤ ${lifeCostsMs} ms`,
    holds: median(costs) <= lifeCostsMs,
  };
  yield {
    what: `${title}: status writes for each move`,
    figure: `${(statusWrites / moves).toFixed(3)} (${moves / lives} moves of each)`,
    budget: '≤ 1.0',
    holds: moves > 0 && statusWrites <= moves,
  };
  yield {
    what: `${title}: further writes of each, to begin its life, for a state outside the status, to end its life`,
    figure: (patches / lives).toFixed(3),
    budget: '3.0',
    holds: patches <= 3 * lives,
  };
  const { writes, reads, objects, passes, restPasses, states } = await idleMachines(count);
  // One in five waits, and is rechecked every 30 s.
  const asked = (objects / 5) * 20;
  yield {
    what: `${title}: passes in ten idle minutes`,
    figure: `${restPasses} (${states.join('; ')})`,
    budget: `${asked}: one in five every 30 s (DB-211)`,
    holds: objects === count && restPasses <= asked,
  };
  yield {
    what: `${title}: writes and reads in ten minutes in which their project tells of itself, the comparisons of caches aside`,
    figure: `${writes.length} and ${reads.length} in ${passes} passes (${states.join('; ')})`,
    budget: '0',
    holds: objects === count && passes >= 10 * objects && writes.length + reads.length === 0,
  };
}

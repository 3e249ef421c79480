import { isDeepStrictEqual } from 'node:util';
import { idleServices } from './idleServices.ts';
import { type Line, times } from './line.ts';
import { median } from './measure.ts';
import { type Readied, servicesByBareLoop, servicesByRuntime } from './services.ts';

/** Writes for each service, by verb and plural: on a machine under load a pass may carry out two moves at once. */
const writesEach = ({ writes }: Readied, count: number) =>
  Object.fromEntries(Object.entries(writes).map(([write, total]) => [write, Math.round((10 * total) / count) / 10]));

/** Alternating runs, as with the machines; both sides are seen to have made the same writes. */
export async function services(count: number, rounds: number): Promise<readonly Line[]> {
  const ratios: number[] = [];
  const rates: number[] = [];
  const costs: number[] = [];
  const apiCosts: number[] = [];
  const bareApiCosts: number[] = [];
  const requests: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const bare = await servicesByBareLoop(count);
    const ours = await servicesByRuntime(count);
    if (!isDeepStrictEqual(writesEach(ours, count), writesEach(bare, count)))
      throw new Error(`writes ${JSON.stringify(ours.writes)}, and ${JSON.stringify(bare.writes)} by the bare loop`);
    ratios.push(ours.perSecond / bare.perSecond);
    rates.push(ours.perSecond);
    costs.push(ours.cpuMsEach);
    apiCosts.push(ours.apiCpuMsEach);
    bareApiCosts.push(bare.apiCpuMsEach);
    requests.push(Object.values(ours.requestsEach).reduce((sum, of) => sum + of, 0));
  }
  return [
    {
      what: `${count} services to Ready, against a bare loop that makes the same writes`,
      figure: `${times(median(ratios))} (${median(rates).toFixed(0)} services/s; ${ratios.map(times).join(', ')})`,
      budget: '≥ 0.9 ×',
      holds: median(ratios) >= 0.9,
    },
    {
      what: 'each of them: processor time of the operator, with what plays the Deployment controller',
      figure: `${median(costs).toFixed(1)} ms`,
      budget: '≤ 25 ms',
      holds: median(costs) <= 25,
    },
    {
      what: 'each of them: processor time of the embedded API, a process of its own',
      figure: `${median(apiCosts).toFixed(1)} ms (${median(bareApiCosts).toFixed(1)} ms under the bare loop)`,
      budget: '≤ 30 ms',
      holds: median(apiCosts) <= 30,
    },
    {
      what: 'each of them: requests of the operator',
      figure: median(requests).toFixed(1),
      budget: '≤ 17',
      holds: median(requests) <= 17,
    },
  ];
}

export async function servicesAtRest(count: number): Promise<readonly Line[]> {
  const { writes, reads, objects, passes, restPasses, states } = await idleServices(count);
  // One in five is built from a branch.
  const asked = objects / 5;
  return [
    {
      what: `${count} services: passes in ten idle minutes`,
      figure: `${restPasses} (${states.join('; ')})`,
      budget: `${asked}: each branch once in ten minutes (decision 130)`,
      holds: objects === count && restPasses <= asked,
    },
    {
      what: `${count} services: writes and reads in ten minutes in which their project tells of itself`,
      figure: `${writes.length} and ${reads.length} in ${passes} passes (${states.join('; ')})`,
      budget: '0',
      holds: objects === count && passes >= 10 * objects && writes.length + reads.length === 0,
    },
  ];
}

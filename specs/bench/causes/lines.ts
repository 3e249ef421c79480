import { type Line, times } from '../line.ts';
import { median } from '../measure.ts';
import { crashFigures } from './crashes.ts';
import { stuckFigures } from './stuck.ts';
import { causesToReady } from './toReady.ts';
import { waitingFigures } from './waiting.ts';

/** Seconds for which a program runs before each end: less than its copies need to be available, and more. */
const programs = [1, 4, 6, 20, 55];

/** What causes cost where services stand still or crash, in virtual time. */
export async function causeLines(count: number): Promise<readonly Line[]> {
  const { waiting, ready, wakes, ofCount } = await waitingFigures(count);
  const stuck = await stuckFigures(count);
  const crashes = [];
  for (const seconds of programs) crashes.push(await crashFigures(seconds * 1_000));
  const ratios = crashes.map(({ statusWrites, ends }) => statusWrites / ends);
  return [
    {
      what: `a Secret that ${count} services wait for: passes of each when it comes`,
      figure: `${wakes.join(' to ')} (${waiting} waited, ${ready} are Ready)`,
      budget: '1',
      holds: waiting === count && ready === count && wakes.every((one) => one === 1),
    },
    {
      what: `a count in a cause of their project changes ten times: passes of ${count} services`,
      figure: `${ofCount}`,
      budget: '0',
      holds: ofCount === 0,
    },
    {
      what: `${count} stuck services: writes in ten minutes`,
      figure: `${stuck.writes.length} in ${stuck.passes} passes (${stuck.reasons.join(', ')}; ${stuck.without} without a cause)`,
      budget: '0',
      holds: stuck.writes.length === 0 && stuck.without === 0,
    },
    {
      what: `ten minutes of a program that ends after ${programs.join(', ')} s: status writes a restart; Warnings`,
      figure: `${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}; ${crashes.map(({ warnings }) => warnings.length).join(', ')}`,
      budget: '≤ 1.2; 1',
      holds: Math.max(...ratios) <= 1.2 && crashes.every(({ warnings }) => warnings.length === 1),
    },
  ];
}

/** What causes cost while services become Ready, by processor time of the operator. */
export async function causesToReadyLines(count: number, rounds: number): Promise<readonly Line[]> {
  const { ratios, cpuMsEach, writesEach } = await causesToReady(count, rounds);
  const ratio = median(ratios);
  return [
    {
      what: `${count} services to Ready, against the same without causes, by processor time`,
      figure: `${times(ratio)} (${ratios.map(times).join(', ')}; ${cpuMsEach.toFixed(1)} ms; ${writesEach.map((one) => one.toFixed(1)).join(' and ')} writes)`,
      budget: '≥ 0.97 ×',
      holds: ratio >= 0.97,
    },
  ];
}

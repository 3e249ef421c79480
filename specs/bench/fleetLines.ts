import { type Cost, fleet } from './fleet.ts';
import { type Line, times } from './line.ts';

const few = 300;
const many = 3_000;

const figureOf = ({ passes, cpuMs }: Cost): string => `${passes.toFixed(1)} passes in ${cpuMs.toFixed(1)} ms`;

/** What a fleet costs at rest and by each event, and that it does not cost more where there is ten times as much. */
export async function fleetLines(): Promise<readonly Line[]> {
  const [small, large] = [await fleet(few), await fleet(many)];
  const events = Object.entries(large.events).map(([what, cost]): Line => {
    const before = small.events[what] ?? cost;
    const ratio = cost.cpuMs / before.cpuMs;
    return {
      what: `${what}, processor time at ${many} services against ${few}`,
      figure: `${times(ratio)} (${figureOf(cost)}, ${figureOf(before)})`,
      budget: '≤ 1.5 ×, no pass more',
      holds: ratio <= 1.5 && cost.passes <= before.passes + 0.5,
    };
  });
  return [
    {
      what: `passes in a minute in which nothing happens, at ${few} and ${many} services, and processor time`,
      figure: `${small.rest.passes}, ${large.rest.passes} (${small.rest.cpuMs.toFixed(0)}, ${large.rest.cpuMs.toFixed(0)} ms)`,
      budget: 'as many at both',
      holds: large.rest.passes <= small.rest.passes + 1,
    },
    {
      what: `a new leader’s first passes over ${many} services`,
      figure: figureOf(large.start),
      budget: '≤ 30,000 ms',
      holds: large.start.cpuMs <= 30_000,
    },
    ...events,
  ];
}

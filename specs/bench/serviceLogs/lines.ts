import { type Line, times } from '../line.ts';
import { followedFigures, readFigures } from './figures.ts';

const ms = (value: number) => `${value.toFixed(1)} ms`;

/** The logs of the copies of a service. */
export async function serviceLogs(): Promise<readonly Line[]> {
  const followed = await followedFigures();
  const read = await readFigures();
  const { readers, p99Ms, medianMs, upstreams, doubled } = followed;
  return [
    {
      what: `from a line of a container to the event at each of ${readers} readers: p99`,
      figure: `${ms(p99Ms)} (median ${ms(medianMs)}, events too many: ${doubled})`,
      budget: '< 1000 ms',
      holds: p99Ms < 1_000 && doubled === 0,
    },
    {
      what: 'connections to that container meanwhile',
      figure: String(upstreams),
      budget: '1',
      holds: upstreams === 1,
    },
    {
      what: '1,000 lines over 10 copies, against reading them bare',
      figure: `${times(read.ratio)} (${ms(read.mineMs)}, ${ms(read.bareMs)})`,
      budget: '≤ 1.5 ×',
      holds: read.ratio <= 1.5,
    },
  ];
}

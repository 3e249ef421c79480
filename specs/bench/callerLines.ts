import { besideStreams } from './besideStreams.ts';
import { type Line, times } from './line.ts';
import { longRequests } from './longRequests.ts';
import { manyRefs } from './manyRefs.ts';

const ms = (value: number) => `${value.toFixed(0)} ms`;

/** What one caller's long requests do to the short ones of others. */
export async function longRequestLines(): Promise<readonly Line[]> {
  const { waits, strangerMs, longMs } = await longRequests();
  return [
    ...waits.map(({ beside, ms: waited, parseMs }) => ({
      what: `embedded API, the longest wait of another’s GET /version beside ${beside}`,
      figure: `${ms(waited)} (reading and writing 29,000 keys as JSON took ${ms(parseMs)})`,
      budget: '≤ 250 ms, on a slower machine ≤ 10 × that',
      holds: waited <= Math.max(250, 10 * parseMs),
    })),
    {
      what: 'embedded API, 5 kB of YAML beside another caller’s long texts, against one long text alone',
      figure: `${times(strangerMs / longMs)} (${ms(strangerMs)})`,
      budget: '≤ 2 ×, ≤ 3000 ms',
      holds: strangerMs <= 2 * longMs && strangerMs <= 3_000,
    },
  ];
}

export async function manyRefsLines(): Promise<readonly Line[]> {
  const { ratio, oursMs, bareMs } = await manyRefs();
  return [
    {
      what: 'a push of 500 branches to our Git host, against git’s own http-backend',
      figure: `${times(ratio)} (${ms(oursMs)}, ${ms(bareMs)})`,
      budget: '≤ 3 ×',
      holds: ratio <= 3,
    },
  ];
}

export async function besideStreamsLines(): Promise<readonly Line[]> {
  const { ratio, besideMs, aloneMs } = await besideStreams();
  return [
    {
      what: 'reads beside another caller’s 100 streams, against none',
      figure: `${times(ratio)} (${besideMs.toFixed(2)} ms, ${aloneMs.toFixed(2)} ms)`,
      budget: '≤ 1.5 ×',
      holds: ratio <= 1.5,
    },
  ];
}

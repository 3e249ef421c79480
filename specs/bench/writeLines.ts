import { embeddedWrites, moves } from './embeddedWrites.ts';
import { type Line, times } from './line.ts';

const ms = (value: number) => `${value.toFixed(2)} ms`;

/**
 * What writes cost the embedded API. A patch brings its moves with it, which are read, checked, stored and sent back: each
 * costs at most a fortieth of what the write costs without them, so that sixty come to 2.5 × of one.
 */
export async function writeLines(): Promise<readonly Line[]> {
  const { statusMs, applyMs, eventMs, leastMs } = await embeddedWrites();
  const ratio = (statusMs[60] ?? Number.NaN) / (statusMs[1] ?? Number.NaN);
  const againstLeast = (what: string, own: number, most: number): Line => ({
    what: `embedded API, processor time of ${what}, against a merge patch of a ConfigMap`,
    figure: `${times(own / leastMs)} (${ms(own)})`,
    budget: `≤ ${most} ×`,
    holds: own <= most * leastMs,
  });
  return [
    {
      what: 'embedded API, processor time of a status patch over 60 moves of history, against one over 1',
      figure: `${times(ratio)} (${moves.map((count) => `${count}: ${ms(statusMs[count] ?? Number.NaN)}`).join(', ')})`,
      budget: '≤ 2.5 ×',
      holds: ratio <= 2.5,
    },
    againstLeast('an apply that changes a Deployment', applyMs, 2.5),
    againstLeast('a new Event', eventMs, 1.5),
  ];
}

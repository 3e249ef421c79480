import { drainByBareLoop, drainByRuntime } from './drain.ts';
import { type Line, times } from './line.ts';
import { median } from './measure.ts';

/** Alternating runs, so that what else the machine does hits both alike. */
export async function draining(count: number, rounds: number): Promise<readonly Line[]> {
  const ratios: number[] = [];
  const rates: number[] = [];
  let writesPerMove = 0;
  for (let round = 0; round < rounds; round++) {
    const bare = await drainByBareLoop(count);
    const ours = await drainByRuntime(count);
    ratios.push(ours.perSecond / bare);
    rates.push(ours.perSecond);
    writesPerMove = ours.writesPerMove;
  }
  const ratio = median(ratios);
  return [
    {
      what: `draining ${count} builds, against a bare loop that makes the same writes`,
      figure: `${times(ratio)} (${median(rates).toFixed(0)} builds/s)`,
      budget: '≥ 0.9 ×',
      holds: ratio >= 0.9,
    },
    {
      what: 'status writes for each move',
      figure: writesPerMove.toFixed(3),
      budget: '1.0',
      holds: writesPerMove <= 1.0,
    },
  ];
}

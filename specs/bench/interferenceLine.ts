import { interference, type Newcomers } from './interference.ts';
import { type Line, times } from './line.ts';

export async function interfered(what: string, newcomers: Newcomers): Promise<readonly Line[]> {
  const { ratio, busyMs, quietMs } = await interference(newcomers);
  return [
    {
      what: `${what} while ${newcomers.others} others resync, against none`,
      figure: `${times(ratio)} (${busyMs.toFixed(0)} ms, ${quietMs.toFixed(0)} ms)`,
      budget: '≤ 1.5 ×',
      holds: ratio <= 1.5,
    },
  ];
}

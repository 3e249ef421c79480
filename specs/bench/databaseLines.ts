import { oneSecretOf } from './databaseSecrets.ts';
import { roomFigures } from './databaseRoom.ts';
import { type Line, times } from './line.ts';

export async function databaseLines(): Promise<readonly Line[]> {
  const { woken, wrote } = await oneSecretOf(5_000);
  const { ratio, ms, bareMs } = await roomFigures(10_000);
  return [
    {
      what: 'one of 5,000 Secrets changes, each the password of a database: databases that are passed over',
      figure: `${woken.length} (${wrote.length} others written)`,
      budget: '1',
      holds: woken.length === 1 && wrote.length === 0,
    },
    {
      what: 'whether there is room for a database, over 10,000 pods, against reading them',
      figure: `${times(ratio)} (${ms.toFixed(0)} ms, ${bareMs.toFixed(0)} ms)`,
      budget: '≤ 1.5 ×',
      holds: ratio <= 1.5,
    },
  ];
}

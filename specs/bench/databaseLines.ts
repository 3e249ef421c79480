import { oneSecretOf } from './databaseSecrets.ts';
import { capacityFigures } from './clusterCapacity.ts';
import { interfered } from './interferenceLine.ts';
import { type Line, times } from './line.ts';
import { machineLines } from './machineLines.ts';
import { retriedDatabases } from './retriedDatabase.ts';

export async function* databaseLines(): AsyncIterable<Line> {
  yield* machineLines('databases', { count: 500, rounds: 3 });
  const { woken, wrote } = await oneSecretOf(5_000);
  yield {
    what: 'one of 5,000 Secrets changes, each the password of a database: databases that are passed over',
    figure: `${woken.length} (${wrote.length} others written)`,
    budget: '1',
    holds: woken.length === 1 && wrote.length === 0,
  };
  const { ratio, microseconds } = capacityFigures(10_000);
  yield {
    what: 'whether there is room for a workload, beside 10,000 pods, against beside 100',
    figure: `${times(ratio)} (${microseconds.toFixed(0)} µs)`,
    budget: '≤ 1.5 ×',
    holds: ratio <= 1.5,
  };
  yield* await interfered('one database from Retry until it is applied', retriedDatabases);
}

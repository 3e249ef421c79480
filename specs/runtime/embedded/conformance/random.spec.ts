import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { times } from '../../../support/share.ts';
import { suite } from '../../../support/suite.ts';
import { anyOps } from './anyOps.ts';
import type { Op } from './ops.ts';
import { play } from './play.ts';
import { embedded, inMemory, type Subject } from './subjects.ts';
import { differences } from './table.ts';

const spec = suite('random calls to a cluster, in memory and embedded');
const runs = Number(process.env['CORE_RUNS'] ?? times(60, 20));
const seed = Number(process.env['CORE_SEED'] ?? 20_270_101);
let real: Subject;

spec.before(async () => {
  real = await embedded();
});
spec.after(() => real.end());

const both = async (ops: readonly Op[]) => [await play(inMemory(), ops), await play(real, ops)] as const;

spec(`random calls get the same responses, objects and events (seed ${seed})`, async () => {
  const answers = new Map<string, number>();
  const alike = fc.asyncProperty(anyOps, async (ops) => {
    const [inTheMemory, inTheReal] = await both(ops);
    for (const { answer } of inTheMemory.slice(0, ops.length)) {
      const is = /^(Conflict|NotFound|AlreadyExists|Refused \d+)/.exec(answer)?.[0] ?? 'answered';
      answers.set(is, (answers.get(is) ?? 0) + 1);
    }
    return JSON.stringify(inTheMemory) === JSON.stringify(inTheReal);
  });
  const found = await fc.check(alike, { numRuns: runs, seed, endOnFailure: false });
  if (found.failed) {
    const shortest = found.counterexample?.[0] ?? [];
    assert.unreachable(
      `CORE_SEED=${seed} CORE_RUNS=${runs}, after ${found.numShrinks} shrinks\n${differences(...(await both(shortest)))}\n`,
    );
  }
  process.stdout.write(`${[...answers].map(([is, count]) => `${is} ${count}`).join(', ')} `);
  for (const is of ['answered', 'Conflict', 'NotFound', 'AlreadyExists', 'Refused 422'])
    assert.ok((answers.get(is) ?? 0) >= runs / 10, `too seldom ${is}`);
});

spec.run();

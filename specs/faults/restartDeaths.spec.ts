import * as assert from 'uvu/assert';
import { numbers } from '../support/random.ts';
import { seed, times } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import type { Plan } from './plan/plan.ts';
import type { Trouble } from './plan/trouble.ts';
import { plansOf, restingSubjects, restless } from './resting.ts';
import { run } from './environment/run.ts';

const spec = suite('faults: deaths of a starting process over resting objects');

const restarts: Trouble = { is: 'restarts', seed };

/** The plan with a death of the starting process at calls that are drawn, the last one among them. */
async function dying(plan: Plan, places: number): Promise<readonly Plan[]> {
  const { counters } = await run(plan);
  const calls = counters.recordedCalls.at(-1) ?? 0;
  const next = numbers(seed);
  const drawn = [calls, ...Array.from({ length: places - 1 }, () => 1 + Math.floor(next() * calls))];
  return [...new Set(drawn)].map((at) => ({ ...plan, troubles: [...plan.troubles, { is: 'diesStarting', at }] }));
}

for (const subject of restingSubjects)
  spec(`${subject.name}: a process that dies while it starts, and the next one, write and delete nothing`, async () => {
    const told: string[] = [];
    for (const plan of plansOf(subject, () => [restarts]))
      for (const deadly of await dying(plan, times(2, 1))) told.push(...(await restless(deadly)));
    assert.equal(told.join('\n'), '');
  });

spec.run();

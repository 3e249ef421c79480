import * as assert from 'uvu/assert';
import { seed, times } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { makeTestEnvironment } from '../support/environment.ts';
import { plansOf, restingSubjects, restless, wrongIn } from './resting.ts';
import { own } from './subjects/all.ts';
import type { FaultSubject } from './subjects/subject.ts';
import { drawParts, together } from './subjects/together.ts';
import { run } from './environment/run.ts';

const spec = suite('faults: restarts over resting objects');

for (const subject of restingSubjects)
  spec(
    `${subject.name}: a restarted process writes and deletes nothing, in any order and paging of lists`,
    async () => {
      const told: string[] = [];
      for (const plan of plansOf(subject, (at) => [{ is: 'restarts', seed: seed + at }]))
        told.push(...(await restless(plan)));
      assert.equal(told.join('\n'), '');
    },
  );

/** Whether one environment can hold what the paths begin with: two of them may make the same bucket. */
function canBegin({ paths }: FaultSubject): boolean {
  try {
    for (const path of paths) path.given(makeTestEnvironment());
    return true;
  } catch {
    return false;
  }
}
const alone = own.filter(({ beside }) => beside === undefined);

spec('a restarted process writes and deletes nothing over several kinds in one cluster', async () => {
  const told: string[] = [];
  const first = seed * 1_000;
  const draws = times(40, 2);
  let rested = 0;
  for (let drawn = first; rested < draws && drawn < first + 2 * draws; drawn++) {
    const subject = together(drawParts(alone, drawn));
    if (!canBegin(subject)) continue;
    for (const plan of plansOf(subject, () => [{ is: 'restarts', seed: drawn }])) {
      const ran = await run(plan);
      // What one path takes from another may be missed for ever.
      if (ran.untouched.length === 0) rested++;
      told.push(...wrongIn(plan, ran, (fault) => fault.endsWith('although all rests')));
    }
  }
  assert.equal(told.join('\n'), '');
  assert.is(rested, draws);
});

spec.run();

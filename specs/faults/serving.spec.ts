import * as assert from 'uvu/assert';
import { isWhole, seed } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { sayPlan } from './plan/plan.ts';
import { servedBy } from './plan/product.ts';
import type { Trouble } from './plan/trouble.ts';
import { restingSubjects } from './resting.ts';
import type { FaultSubject, Path } from './subjects/subject.ts';
import { verify } from './verify.ts';
import { run } from './environment/run.ts';

const spec = suite('faults: a serving standby');

/** What is wrong where the leader acts before a call of the stand-by: before one of them by the seed, or each. */
async function wrongWhereServed(subject: FaultSubject, path: Path): Promise<readonly string[]> {
  const told: string[] = [];
  const all = await servedBy(async (troubles) => (await run({ subject, path, troubles })).counters);
  for (const troubles of isWhole ? all : drawn(all)) {
    const plan = { subject, path, troubles };
    const { wrong, untouched } = await verify(plan);
    told.push(
      ...[...wrong, ...untouched.map(({ is }) => `touches nothing: ${is}`)].map((one) => `${sayPlan(plan)}: ${one}`),
    );
  }
  return told;
}

const drawn = (all: readonly (readonly Trouble[])[]) => all.filter((_, at) => at === seed % all.length);

for (const subject of restingSubjects)
  spec(`${subject.name}: each path ends like its undisturbed run when a stand-by serves`, async () => {
    const told: string[] = [];
    for (const path of subject.paths) told.push(...(await wrongWhereServed(subject, path)));
    assert.equal(told.join('\n'), '');
  });

spec.run();

import * as assert from 'uvu/assert';
import type { Blow, Plan } from '../crash/plan.ts';
import { suite } from '../support/suite.ts';
import { endsAlike, once, undisturbed, writesOf } from './plans.ts';
import { paths } from './paths.ts';

const spec = suite('build, struck once');
const blows: readonly Blow['is'][] = ['dies', 'diesAfter', 'lost', 'refused', 'conflict'];
let plans = 0;

for (const path of paths)
  spec(`whatever befalls one write: ${path.name}`, async () => {
    const end = await undisturbed(path);
    assert.equal(end.faults, [], path.name);
    const struck = writesOf(end).flatMap((at) => blows.map((is): Blow => ({ at, is })));
    const all: readonly Plan[] = [
      { path, blows: [], lagging: true, twins: false },
      { path, blows: [], lagging: false, twins: true },
      { path, blows: [], lagging: true, twins: true },
      ...struck.flatMap((blow) => [once(path, blow), once(path, blow, true)]),
      ...struck
        .map((blow) => ({ ...once(path, blow), twins: true }))
        .filter(({ blows: [blow] }) => blow?.is === 'dies'),
    ];
    for (const plan of all) await endsAlike(plan, end);
    plans += all.length + 1;
  });

spec.after(() => void process.stdout.write(`  ${plans} plans\n`));
spec.run();

import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { hunt } from './bugs/hunt.ts';
import { makeHosting, makeReplaceable } from './bugs/hosting.ts';
import { managedBugs } from './bugs/managedBugs.ts';
import { complaints } from './bugs/table.ts';
import { readPlan } from './plan/plan.ts';
import { managedDatabaseSubject } from './subjects/managedDatabase.ts';

const spec = suite('faults: planted bugs of managed databases');
const replaceable = makeReplaceable();
const hosting = makeHosting(replaceable);
spec.after(async () => {
  hosting.end();
  await replaceable.end();
});

for (const { plan, ...bug } of managedBugs)
  spec(`caught: ${bug.name}: ${bug.text}`, async () => {
    const first = readPlan(plan, [managedDatabaseSubject]);
    if (typeof first === 'string') throw new Error(first);
    const hunted = await hunt(bug, { subject: managedDatabaseSubject, mostTries: 1, hosting, first });
    assert.equal(complaints(hunted), []);
  });

spec.run();

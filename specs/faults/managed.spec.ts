import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { hunt } from './bugs/hunt.ts';
import { makeHosting, makeReplaceable } from './bugs/hosting.ts';
import { managedBugs } from './bugs/managedBugs.ts';
import { complaints } from './bugs/table.ts';
import { storeBugs } from './bugs/storeBugs.ts';
import { readPlan } from './plan/plan.ts';
import { managedDatabaseSubject } from './subjects/managedDatabase.ts';
import { objectStoreSubject } from './subjects/objectStore.ts';

const spec = suite('faults: planted bugs of managed databases and object stores');
const replaceable = makeReplaceable();
const hosting = makeHosting(replaceable);
spec.after(async () => {
  hosting.end();
  await replaceable.end();
});

const planted = [
  ...managedBugs.map((bug) => ({ ...bug, subject: managedDatabaseSubject })),
  ...storeBugs.map((bug) => ({ ...bug, subject: objectStoreSubject })),
];

for (const { plan, subject, ...bug } of planted)
  spec(`caught: ${bug.name}: ${bug.text}`, async () => {
    const first = readPlan(plan, [subject]);
    if (typeof first === 'string') throw new Error(first);
    const hunted = await hunt(bug, { subject, mostTries: 1, hosting, first });
    assert.equal(complaints(hunted), []);
  });

spec.run();

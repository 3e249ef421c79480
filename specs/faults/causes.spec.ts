import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { causeBugs } from './bugs/causeBugs.ts';
import { makeHosting, makeReplaceable } from './bugs/hosting.ts';
import { hunt } from './bugs/hunt.ts';
import { complaints } from './bugs/table.ts';
import { readPlan } from './plan/plan.ts';
import { environmentsSubject } from './subjects/environments.ts';
import { projectSubject } from './subjects/project.ts';
import { serviceSubject } from './subjects/service.ts';

const spec = suite('faults: planted bugs of causes');
const replaceable = makeReplaceable();
const hosting = makeHosting(replaceable);
spec.after(async () => {
  hosting.end();
  await replaceable.end();
});

for (const { plan, ...bug } of causeBugs)
  spec(`caught: ${bug.name}: ${bug.text}`, async () => {
    const first = readPlan(plan, [environmentsSubject, projectSubject, serviceSubject]);
    if (typeof first === 'string') throw new Error(first);
    const hunted = await hunt(bug, { subject: first.subject, mostTries: 1, hosting, first });
    assert.equal(complaints(hunted), []);
  });

spec.run();

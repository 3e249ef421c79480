import * as assert from 'uvu/assert';
import { deliveryBugs } from './bugs/deliveryBugs.ts';
import { makeHosting, makeReplaceable } from './bugs/hosting.ts';
import { hunt } from './bugs/hunt.ts';
import { complaints } from './bugs/table.ts';
import { readPlan } from './plan/plan.ts';
import { suite } from '../support/suite.ts';
import { deliveriesSubject } from './subjects/deliveries.ts';
import { pullRequestSubject } from './subjects/pullRequest.ts';
import { run } from './environment/run.ts';

const spec = suite('faults: deliveries of webhooks, and pull requests');
const replaceable = makeReplaceable();
const hosting = makeHosting(replaceable);
spec.after(async () => {
  hosting.end();
  await replaceable.end();
});

for (const path of deliveriesSubject.paths)
  spec(`without a fault: ${path.name}`, async () => {
    const { faults } = await run({ subject: deliveriesSubject, path, troubles: [] });
    assert.equal(faults, []);
  });

for (const path of pullRequestSubject.paths)
  spec(`GIT-018 without a fault: ${path.name}, and nothing is left`, async () => {
    const { faults } = await run({ subject: pullRequestSubject, path, troubles: [] });
    assert.equal(faults, []);
  });

for (const { plan, ...bug } of deliveryBugs)
  spec(`caught: ${bug.name}: ${bug.text}`, async () => {
    const first = readPlan(plan, [deliveriesSubject]);
    if (typeof first === 'string') throw new Error(first);
    const hunted = await hunt(bug, { subject: deliveriesSubject, mostTries: 1, hosting, first });
    assert.equal(complaints(hunted), []);
  });

spec.run();

import * as assert from 'uvu/assert';
import { isChosen } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { hunt } from './bugs/hunt.ts';
import { makeHosting, makeReplaceable } from './bugs/hosting.ts';
import { platformBugs } from './bugs/platformBugs.ts';
import { complaints } from './bugs/table.ts';
import { readPlan } from './plan/plan.ts';
import { clusterSubject } from './subjects/cluster.ts';
import { deliveriesSubject } from './subjects/deliveries.ts';
import { nodeSubject } from './subjects/node.ts';
import { platformSubject } from './subjects/platform.ts';
import { pullRequestSubject } from './subjects/pullRequest.ts';

const spec = suite('faults: planted bugs of the platform and its services');
const replaceable = makeReplaceable();
const hosting = makeHosting(replaceable);
spec.after(async () => {
  hosting.end();
  await replaceable.end();
});

const subjects = [platformSubject, clusterSubject, nodeSubject, pullRequestSubject, deliveriesSubject];

for (const [at, { plan, ...bug }] of platformBugs.entries())
  if (isChosen(at, 8))
    spec(`caught: ${bug.name}: ${bug.text}`, async () => {
      const first = readPlan(plan, subjects);
      if (typeof first === 'string') throw new Error(first);
      const { subject } = first;
      const hunted = await hunt(bug, { subject, mostTries: 1, hosting, first });
      assert.equal(complaints(hunted), []);
    });

spec.run();

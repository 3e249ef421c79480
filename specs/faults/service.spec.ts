import * as assert from 'uvu/assert';
import { hunt } from './bugs/hunt.ts';
import { makeHosting, makeReplaceable } from './bugs/hosting.ts';
import { complaints } from './bugs/table.ts';
import { wakeBugs } from './bugs/wakeBugs.ts';
import { workloadBugs } from './bugs/workloadBugs.ts';
import { isChosen } from '../support/share.ts';
import { readPlan } from './plan/plan.ts';
import { partOf, sliceOf } from './slice.ts';
import { verify } from './verify.ts';
import { nodeSubject } from './subjects/node.ts';
import { serviceSubject } from './subjects/service.ts';

const spec = sliceOf('faults: a slice of the plans of what a service runs on', [partOf(serviceSubject, 12)], 6_400);
const replaceable = makeReplaceable();
const hosting = makeHosting(replaceable);
spec.after(async () => {
  hosting.end();
  await replaceable.end();
});

for (const { plan, ...bug } of [...workloadBugs.filter((_, at) => isChosen(at, 10)), ...wakeBugs])
  spec(`caught: ${bug.name}: ${bug.text}`, async () => {
    const first = readPlan(plan, [serviceSubject, nodeSubject]);
    if (typeof first === 'string') throw new Error(first);
    const hunted = await hunt(bug, { subject: first.subject, mostTries: 1, hosting, first });
    assert.equal(complaints(hunted), []);
  });

spec('SVC-014 a service with sleep disabled gets its replicas in the pass that removes its scaler', async () => {
  const plan = readPlan('service / it is autoscaled instead / handAfter does=the_project_is_not_ready at=20', [
    serviceSubject,
  ]);
  if (typeof plan === 'string') throw new Error(plan);
  assert.equal((await verify(plan)).wrong, []);
});

spec.run();

import * as assert from 'uvu/assert';
import { consoleBugs } from './bugs/consoleBugs.ts';
import { hunt } from './bugs/hunt.ts';
import { makeHosting, makeReplaceable } from './bugs/hosting.ts';
import { complaints } from './bugs/table.ts';
import { readPlan } from './plan/plan.ts';
import { sliceOf } from './slice.ts';
import { consoleSessionSubject } from './subjects/consoleSession.ts';

const spec = sliceOf('faults: a slice of the plans of terminals', [consoleSessionSubject], 120);
const replaceable = makeReplaceable();
const hosting = makeHosting(replaceable);
spec.after(async () => {
  hosting.end();
  await replaceable.end();
});

for (const { plan, ...bug } of consoleBugs)
  spec(`caught: ${bug.name}: ${bug.text}`, async () => {
    const first = readPlan(plan, [consoleSessionSubject]);
    if (typeof first === 'string') throw new Error(first);
    const hunted = await hunt(bug, { subject: consoleSessionSubject, mostTries: 1, hosting, first });
    assert.equal(complaints(hunted), []);
  });

spec.run();

import * as assert from 'uvu/assert';
import { isChosen } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import type { Bug } from './bugs/bug.ts';
import { databaseBugs } from './bugs/databaseBugs.ts';
import { makeHosting, makeReplaceable } from './bugs/hosting.ts';
import { hunt } from './bugs/hunt.ts';
import { logicalDatabaseBugs } from './bugs/logicalDatabaseBugs.ts';
import { managedBugs } from './bugs/managedBugs.ts';
import { complaints } from './bugs/table.ts';
import { readPlan } from './plan/plan.ts';
import { databaseSubject } from './subjects/database.ts';
import { logicalDatabaseSubject } from './subjects/logicalDatabase.ts';
import { managedDatabaseSubject } from './subjects/managedDatabase.ts';
import type { FaultSubject } from './subjects/subject.ts';

const spec = suite('faults: planted bugs of databases');
const replaceable = makeReplaceable();
const hosting = makeHosting(replaceable);
spec.after(async () => {
  hosting.end();
  await replaceable.end();
});

type Shown = Bug & { readonly plan: string };

const planted = (bugs: readonly Shown[], subject: FaultSubject) => bugs.map((bug) => ({ bug, subject }));
const all = [
  ...planted(databaseBugs, databaseSubject),
  ...planted(managedBugs, managedDatabaseSubject),
  ...planted(logicalDatabaseBugs, logicalDatabaseSubject),
];

spec('there are at least 25 of them, each under its own name', () => {
  assert.ok(all.length >= 25, `${all.length} bugs`);
  assert.is(new Set(all.map(({ bug }) => bug.name)).size, all.length);
});

for (const [at, { bug: planned, subject }] of all.entries())
  if (isChosen(at, 4))
    spec(`caught: ${planned.name}: ${planned.text}`, async () => {
      const { plan, ...bug } = planned;
      const first = readPlan(plan, [subject]);
      if (typeof first === 'string') throw new Error(first);
      const hunted = await hunt(bug, { subject, mostTries: 1, hosting, first });
      assert.equal(complaints(hunted), []);
    });

spec.run();

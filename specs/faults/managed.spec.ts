import * as assert from 'uvu/assert';
import { isChosen } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { backupBugs } from './bugs/backupBugs.ts';
import type { Bug } from './bugs/bug.ts';
import { hunt } from './bugs/hunt.ts';
import { makeHosting, makeReplaceable } from './bugs/hosting.ts';
import { managedBugs } from './bugs/managedBugs.ts';
import { storeBugs } from './bugs/storeBugs.ts';
import { complaints } from './bugs/table.ts';
import { readPlan } from './plan/plan.ts';
import { backupArchiveSubject } from './subjects/backupArchive.ts';
import { databaseBackupSubject } from './subjects/databaseBackup.ts';
import { managedDatabaseSubject } from './subjects/managedDatabase.ts';
import { objectStoreSubject } from './subjects/objectStore.ts';

const spec = suite('faults: planted bugs of managed databases, backups and object stores');
const replaceable = makeReplaceable();
const hosting = makeHosting(replaceable);
spec.after(async () => {
  hosting.end();
  await replaceable.end();
});

const subjects = [managedDatabaseSubject, databaseBackupSubject, backupArchiveSubject, objectStoreSubject];
/** Of backups and object stores the suite hunts a share. */
const hunted: readonly (Bug & { readonly plan: string })[] = [
  ...managedBugs,
  ...backupBugs.filter((_, at) => isChosen(at, 5)),
  ...storeBugs.filter((_, at) => isChosen(at, 2)),
];

spec('each bug of backups has a name of its own, and nearly all can be seen', () => {
  assert.is(new Set(backupBugs.map(({ name }) => name)).size, backupBugs.length);
  assert.ok(backupBugs.filter(({ unseen }) => unseen === undefined).length >= 20);
});

for (const { plan, ...bug } of hunted)
  spec(`${bug.unseen === undefined ? 'caught' : 'not to be seen'}: ${bug.name}: ${bug.text}`, async () => {
    const first = readPlan(plan, subjects);
    if (typeof first === 'string') throw new Error(first);
    const found = await hunt(bug, { subject: first.subject, mostTries: 1, hosting, first });
    assert.equal(complaints(found), []);
  });

spec.run();

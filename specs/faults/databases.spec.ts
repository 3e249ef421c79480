import * as assert from 'uvu/assert';
import { isChosen } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { backupBugs } from './bugs/backupBugs.ts';
import type { Bug } from './bugs/bug.ts';
import { databaseBugs } from './bugs/databaseBugs.ts';
import { makeHosting, makeReplaceable } from './bugs/hosting.ts';
import { hunt } from './bugs/hunt.ts';
import { logicalDatabaseBugs } from './bugs/logicalDatabaseBugs.ts';
import { managedBugs } from './bugs/managedBugs.ts';
import { ownedBugs } from './bugs/ownedBugs.ts';
import { storeBugs } from './bugs/storeBugs.ts';
import { complaints } from './bugs/table.ts';
import { readPlan } from './plan/plan.ts';
import { backupArchiveSubject } from './subjects/backupArchive.ts';
import { cloudConnectionSubject } from './subjects/cloudConnection.ts';
import { databaseSubject } from './subjects/database.ts';
import { databaseBackupSubject } from './subjects/databaseBackup.ts';
import { logicalDatabaseSubject } from './subjects/logicalDatabase.ts';
import { managedDatabaseSubject } from './subjects/managedDatabase.ts';
import { objectStoreSubject } from './subjects/objectStore.ts';

const spec = suite(
  'faults: planted bugs of databases, their backups, object stores and of what Core keeps in the cluster',
);
const replaceable = makeReplaceable();
const hosting = makeHosting(replaceable);
spec.after(async () => {
  hosting.end();
  await replaceable.end();
});

type Shown = Bug & { readonly plan: string };

const subjects = [
  databaseSubject,
  managedDatabaseSubject,
  logicalDatabaseSubject,
  databaseBackupSubject,
  backupArchiveSubject,
  objectStoreSubject,
  cloudConnectionSubject,
];
const ofDatabases: readonly Shown[] = [...databaseBugs, ...managedBugs, ...logicalDatabaseBugs];
const all: readonly Shown[] = [...ofDatabases, ...backupBugs, ...storeBugs, ...ownedBugs];

spec('at least 25 database bugs and 20 backup bugs are detectable, under unique names', () => {
  const seen = (bugs: readonly Shown[]) => bugs.filter(({ unseen }) => unseen === undefined).length;
  assert.ok(seen(ofDatabases) >= 25, `${seen(ofDatabases)} bugs`);
  assert.ok(seen(backupBugs) >= 20, `${seen(backupBugs)} bugs`);
  assert.is(new Set(all.map(({ name }) => name)).size, all.length);
});

for (const { plan, ...bug } of all.filter((_, at) => isChosen(at, 20)))
  spec(`${bug.unseen === undefined ? 'caught' : 'not to be seen'}: ${bug.name}: ${bug.text}`, async () => {
    const first = readPlan(plan, subjects);
    if (typeof first === 'string') throw new Error(first);
    const found = await hunt(bug, { subject: first.subject, mostTries: 1, hosting, first });
    assert.equal(complaints(found), []);
  });

spec.run();

import { readPlan } from '../plan/plan.ts';
import { backupArchiveSubject } from '../subjects/backupArchive.ts';
import { buildSubject } from '../subjects/build.ts';
import { cloudConnectionSubject } from '../subjects/cloudConnection.ts';
import { clusterSubject } from '../subjects/cluster.ts';
import { consoleSessionSubject } from '../subjects/consoleSession.ts';
import { databaseSubject } from '../subjects/database.ts';
import { databaseBackupSubject } from '../subjects/databaseBackup.ts';
import { deliveriesSubject } from '../subjects/deliveries.ts';
import { environmentsSubject } from '../subjects/environments.ts';
import { logicalDatabaseSubject } from '../subjects/logicalDatabase.ts';
import { managedDatabaseSubject } from '../subjects/managedDatabase.ts';
import { nodeSubject } from '../subjects/node.ts';
import { objectStoreSubject } from '../subjects/objectStore.ts';
import { platformSubject } from '../subjects/platform.ts';
import { projectSubject } from '../subjects/project.ts';
import { pullRequestSubject } from '../subjects/pullRequest.ts';
import { serviceSubject } from '../subjects/service.ts';
import { compared, type Reference } from '../verify.ts';
import { run } from '../environment/run.ts';
import { bugs } from './all.ts';
import { backupBugs } from './backupBugs.ts';
import { causeBugs } from './causeBugs.ts';
import { consoleBugs } from './consoleBugs.ts';
import { plant, wasReached } from './planting.ts';
import { databaseBugs } from './databaseBugs.ts';
import { logicalDatabaseBugs } from './logicalDatabaseBugs.ts';
import { managedBugs } from './managedBugs.ts';
import { ownedBugs } from './ownedBugs.ts';
import { platformBugs } from './platformBugs.ts';
import { storeBugs } from './storeBugs.ts';
import { deliveryBugs } from './deliveryBugs.ts';
import { wakeBugs } from './wakeBugs.ts';
import { workloadBugs } from './workloadBugs.ts';

/** The subjects whose bugs replace functions. */
const subjects = [
  buildSubject,
  environmentsSubject,
  projectSubject,
  serviceSubject,
  consoleSessionSubject,
  databaseSubject,
  managedDatabaseSubject,
  logicalDatabaseSubject,
  databaseBackupSubject,
  backupArchiveSubject,
  platformSubject,
  clusterSubject,
  nodeSubject,
  pullRequestSubject,
  deliveriesSubject,
  objectStoreSubject,
  cloudConnectionSubject,
];
const planted = [
  ...bugs,
  ...causeBugs,
  ...workloadBugs,
  ...wakeBugs,
  ...deliveryBugs,
  ...consoleBugs,
  ...managedBugs,
  ...databaseBugs,
  ...logicalDatabaseBugs,
  ...backupBugs,
  ...ownedBugs,
  ...platformBugs,
  ...storeBugs,
];

/** A question to the product with a bug: its name, a plan as text, and the result of its path in the unmodified product. */
export interface Question {
  readonly bug: string;
  readonly plan: string;
  readonly reference: Reference | null;
}

/** The violations of a plan, and whether its run reached the bug. */
export interface Answer {
  readonly wrong: readonly string[];
  readonly reached: boolean;
}

/** Entry point of the bundle: runs a plan under a bug that replaces a function. */
export async function answer({ bug, plan: text, reference }: Question): Promise<Answer> {
  const plan = readPlan(text, subjects);
  if (typeof plan === 'string') throw new Error(plan);
  const found = planted.find(({ name }) => name === bug)?.plant;
  if (found?.is !== 'replaced') throw new Error(`no bug that replaces a function is called ${bug}`);
  plant(found);
  const wrong = await run(plan).then(
    (ran) => compared(plan, ran, reference).wrong,
    (thrown: unknown) => [`it breaks: ${String(thrown)}`],
  );
  return { wrong, reached: wasReached() };
}

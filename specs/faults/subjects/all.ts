import { appSubject } from './app.ts';
import { backupArchiveSubject } from './backupArchive.ts';
import { buildSubject } from './build.ts';
import { clusterSubject } from './cluster.ts';
import { nodeSubject } from './node.ts';
import { cloudConnectionSubject } from './cloudConnection.ts';
import { connectionSubject } from './connection.ts';
import { consoleSessionSubject } from './consoleSession.ts';
import { databaseSubject } from './database.ts';
import { databaseBackupSubject } from './databaseBackup.ts';
import { deliveriesSubject } from './deliveries.ts';
import { deploymentSubject } from './deployment.ts';
import { managedDatabaseSubject } from './managedDatabase.ts';
import { logicalDatabaseSubject } from './logicalDatabase.ts';
import { logicalServerSubject } from './logicalServer.ts';
import { environmentsSubject } from './environments.ts';
import { generatedBeside } from './lifecycles.ts';
import { objectStoreSubject } from './objectStore.ts';
import { pullRequestSubject } from './pullRequest.ts';
import { platformSubject } from './platform.ts';
import { projectSubject } from './project.ts';
import { serviceSubject } from './service.ts';
import type { FaultSubject } from './subject.ts';

/** Kinds with real controllers. */
export const own: readonly FaultSubject[] = [
  buildSubject,
  appSubject,
  connectionSubject,
  cloudConnectionSubject,
  objectStoreSubject,
  consoleSessionSubject,
  projectSubject,
  databaseSubject,
  databaseBackupSubject,
  backupArchiveSubject,
  logicalDatabaseSubject,
  logicalServerSubject,
  managedDatabaseSubject,
  serviceSubject,
  deploymentSubject,
  deliveriesSubject,
  pullRequestSubject,
  platformSubject,
  clusterSubject,
  nodeSubject,
  environmentsSubject,
];

/** Lifecycles that no controller implements yet. */
export const generatedSubjects: readonly FaultSubject[] = await generatedBeside(own);

/** Every subject of the product of plans. */
export const subjects: readonly FaultSubject[] = [...own, ...generatedSubjects];

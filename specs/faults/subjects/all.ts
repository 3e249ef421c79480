import { appSubject } from './app.ts';
import { buildSubject } from './build.ts';
import { connectionSubject } from './connection.ts';
import { consoleSessionSubject } from './consoleSession.ts';
import { databaseSubject } from './database.ts';
import { deploymentSubject } from './deployment.ts';
import { managedDatabaseSubject } from './managedDatabase.ts';
import { puppetsBeside } from './lifecycles.ts';
import { platformSubject } from './platform.ts';
import { projectSubject } from './project.ts';
import { serviceSubject } from './service.ts';
import type { FaultSubject } from './subject.ts';

/** Kinds with real controllers. */
const own: readonly FaultSubject[] = [
  buildSubject,
  appSubject,
  connectionSubject,
  consoleSessionSubject,
  projectSubject,
  databaseSubject,
  managedDatabaseSubject,
  serviceSubject,
  deploymentSubject,
  platformSubject,
];

/** Lifecycles that no controller implements yet. */
export const puppets: readonly FaultSubject[] = await puppetsBeside(own);

/** Every subject of the product of plans. */
export const subjects: readonly FaultSubject[] = [...own, ...puppets];

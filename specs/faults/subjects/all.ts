import { appSubject } from './app.ts';
import { buildSubject } from './build.ts';
import { connectionSubject } from './connection.ts';
import { databaseSubject } from './database.ts';
import { lifecycleSubjects } from './lifecycles.ts';
import { projectSubject } from './project.ts';
import type { FaultSubject } from './subject.ts';

/** Everything that is put through the product of plans. */
export const subjects: readonly FaultSubject[] = [
  buildSubject,
  appSubject,
  connectionSubject,
  projectSubject,
  databaseSubject,
  ...lifecycleSubjects,
];

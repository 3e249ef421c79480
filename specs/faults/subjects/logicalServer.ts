import { adminSecretName } from '../../../rules/logicalDatabase/job.ts';
import { databaseController } from '../../../runtime/controllers/database/controller.ts';
import { logicalDatabaseController } from '../../../runtime/controllers/logicalDatabase/controller.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import { databaseName, putDatabase, putDatabaseEnvironment } from '../../support/database.ts';
import { serverIn } from '../../support/engines.ts';
import { logicalIn, logicalName, putLogical } from '../../support/logicalDatabase.ts';
import { pieceIn } from '../../support/project.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import { engineActors, later } from './database/engines.ts';
import { stateIn } from './database/paths.ts';
import { logicalDatabaseSubject, logicalJobsEnd, mayDiffer } from './logicalDatabase.ts';
import type { FaultSubject } from './subject.ts';

const admin = adminSecretName(databaseName, 'Postgres');
const isAsked = (environment: TestEnvironment) =>
  JSON.stringify(serverIn(environment) ?? {}).includes('"enableSuperuserAccess":true');

/** The operator for Postgres makes the login of the superuser when a server asks for it. */
const superuser = later(
  (environment) => isAsked(environment) && !pieceIn(environment, owned.secrets, admin),
  'the superuser has a login',
  (environment) => {
    const { kind = '', apiVersion = '', metadata } = serverIn(environment) ?? { metadata: { name: '' } };
    environment.cluster.put(owned.secrets, {
      metadata: {
        name: admin,
        namespace: 'shop-production',
        ...(metadata.labels && { labels: metadata.labels }),
        ownerReferences: [{ apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', controller: true }],
      },
      data: { username: 'cG9zdGdyZXM=', password: 'b2YtdGhlLW9wZXJhdG9y' },
    });
  },
);

/** A logical database on a server that Core runs through the operator for Postgres. */
export const logicalServerSubject: FaultSubject = {
  ...logicalDatabaseSubject,
  name: 'logicalServer',
  tables: [...logicalDatabaseSubject.tables, 'draftDeploy', 'managedDatabase', 'database'],
  controllers: () => [databaseController(), logicalDatabaseController()],
  userEdits: {},
  paths: [
    {
      name: 'one is made on a server that runs',
      given: (environment) => {
        putDatabaseEnvironment(environment);
        putDatabase(environment, { engine: 'Postgres', deploy: { enabled: true } });
      },
      script: [
        {
          text: 'a logical database is made',
          when: (environment) => stateIn(environment) === 'Ready',
          edit: (environment) => putLogical(environment, { serverRef: databaseName }),
        },
      ],
      actors: (environment) => [
        ...engineActors('Postgres')(environment),
        superuser(environment),
        ...logicalJobsEnd('Complete')(environment),
      ],
      ends: ['Ready'],
      // What is heard of late is a failure that was counted, and over.
      mayDiffer: (difference) => difference.includes('.status.reconcileRetry') || mayDiffer(difference),
    },
  ],
  state: (environment) => logicalIn(environment, logicalName)?.status?.phase ?? '',
};

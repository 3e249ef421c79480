import { Optional as optional, Type } from '@sinclair/typebox';
import { causes } from './cause.ts';
import { conditions, defineKind, history, type ObjectOf, observedGeneration, shape } from './kind.ts';
import { provision, reconcileRetry } from './provisioning.ts';

export const logicalDatabasePhases = ['Provisioning', 'Ready', 'ProvisionFailed', 'Deleting'] as const;

/** A database of a project, with its own login, on an existing server. */
export const coreLogicalDatabase = defineKind({
  kind: 'CoreLogicalDatabase',
  plural: 'corelogicaldatabases',
  shortNames: ['cldb'],
  describes:
    'A database on a Postgres or MySQL server that runs already: its own, or the shared one with its own login.',
  columns: [],
  rules: [
    {
      // `<name>-create` is a Job, and a Job name has at most 63 characters.
      rule: 'size(self.metadata.name) <= 56',
      message: 'the name of a logical database must be no more than 56 characters',
    },
  ],
  spec: Type.Object({
    project: shape.text('Project ID of the owner; the project must be ready.', { minLength: 1 }),
    environment: shape.dnsLabel('Environment whose namespace gets the connection Secret.', 63),
    serverRef: shape.text(
      'CoreDatabase, Postgres or MySQL, of the same project and environment, or the shared server.',
      { minLength: 1 },
    ),
    databaseName: shape.text(
      "Name in the words of the service: letters, digits and underscores. On the shared server the project's and the environment's names go before it.",
    ),
    connectionLimit: optional(
      shape.count('Connections its own login may hold, 20 when left out; the shared server only, read at creation.', {
        format: 'int32',
        minimum: 1,
        maximum: 1000,
      }),
    ),
  }),
  status: Type.Object({
    phase: optional(shape.choice('Where its life stands.', logicalDatabasePhases)),
    serverInstance: optional(
      shape.text(
        "Uid of the Cluster, or of the claim, that the server's data goes with: another one means that the database is lost.",
      ),
    ),
    connectionSecret: optional(
      shape.text(
        "Secret `<name>-connection` in the environment's namespace: `host`, `port`, `database`, `username`, `password` and `uri`.",
      ),
    ),
    jobName: optional(shape.text('Job `<name>-create` that creates the database.')),
    database: optional(shape.text('Name of the database on the server.')),
    username: optional(shape.text('Login that owns the database on the shared server.')),
    reconcileRetry: optional(reconcileRetry),
    provision: optional(provision),
    conditions: optional(conditions),
    observedGeneration: optional(observedGeneration),
    causes: optional(causes),
    history: optional(history),
  }),
});

export type CoreLogicalDatabase = ObjectOf<typeof coreLogicalDatabase>;
export type LogicalDatabaseSpec = CoreLogicalDatabase['spec'];
export type LogicalDatabaseStatus = NonNullable<CoreLogicalDatabase['status']>;

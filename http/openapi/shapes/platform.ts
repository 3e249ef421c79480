import { Optional as optional, Type } from '@sinclair/typebox';
import { type ReadonlyStatic, anyFields, mapOf, orNull, text } from '../kit.ts';
import { continued } from '../paging.ts';

/** One stored object, with the fields that the reader may see. */
export const stored = Type.Object(
  {
    metadata: Type.Object({
      name: text(),
      uid: optional(text()),
      labels: mapOf(text()),
      annotations: optional(mapOf(text())),
      creationTimestamp: optional(text('A time.')),
      deletionTimestamp: optional(text('A time.')),
    }),
    spec: anyFields,
    status: anyFields,
  },
  { title: 'Stored' },
);
/** One stored object, with the fields that the reader may see. */
export type Stored = ReadonlyStatic<typeof stored>;

const list = Type.Array(stored);

/** The whole platform (document 001, Endpoints). Lists that the reader may not see are empty. */
export const bootstrap = Type.Object(
  {
    projects: list,
    apps: list,
    builds: list,
    databases: list,
    logicalDatabases: list,
    objectStores: list,
    backupArchives: list,
    deployments: list,
    clusters: list,
    nodes: list,
    connections: list,
    cloudConnections: list,
    consoleSessions: list,
    haReadiness: list,
    networkLogs: list,
    /** The object `platform`; null while there is none. */
    platform: orNull(stored),
    continue: continued,
  },
  { title: 'Bootstrap' },
);
/** GET /api/bootstrap: the whole platform (document 001, Endpoints). */
export type Bootstrap = ReadonlyStatic<typeof bootstrap>;

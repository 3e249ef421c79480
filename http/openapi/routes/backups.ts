import { Type } from '@sinclair/typebox';
import { instanceRoutes } from '../instanceRoutes.ts';
import { objectName, text } from '../kit.ts';
import { pages, placedQuery } from '../paging.ts';
import { read, said, type SomeSchemas } from '../schema.ts';
import { restoreAsked } from '../../routes/databases/shapes.ts';
import { created, resourceRead, summary } from '../../routes/resource.ts';

const path = { archive: objectName };
const noArchive = 'There is no such archive.';

/** Archives of backups, and restores from them (document 001, Endpoints). */
export const backupSchemas = {
  'GET /backup-archives': {
    group: 'Databases',
    summary: 'Lists the archives of backups, newest first.',
    path: {},
    query: Type.Object({
      ...placedQuery,
      database: Type.Optional(text('Only those of databases with this name.')),
    }),
    ...pages(summary, 'The archives.'),
  },
  'GET /backup-archives/{archive}': {
    group: 'Databases',
    summary: 'Reads an archive with its restore points.',
    path,
    answers: read(resourceRead, 'The archive.'),
    refusals: { 404: noArchive },
  },
  ...instanceRoutes('/backup-archives/{archive}', { group: 'Databases', one: 'an archive', path, absent: noArchive }),
  'POST /databases/restore': {
    group: 'Databases',
    summary: 'Makes a new database from a backup, beside the original, and deploys it.',
    path: {},
    body: { schema: restoreAsked },
    answers: { 201: said(created, 'The database is created and being restored.') },
    refusals: {
      404: 'There is no such archive, or it is due to be removed.',
      409: 'The archive has no restore points yet, the name is taken, or the cluster has no room. Nothing was saved.',
      502: 'The backup storage is not available.',
    },
  },
} as const satisfies SomeSchemas;

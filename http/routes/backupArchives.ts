import type { RouterContext } from '@koa/router';
import { Type } from '@sinclair/typebox';
import type { CoreBackupArchive } from '../../crds/coreBackupArchive.ts';
import { resourceList } from '../lists/resources.ts';
import { objectName, text } from '../openapi/kit.ts';
import { pages, placedQuery } from '../openapi/paging.ts';
import { read } from '../openapi/schema.ts';
import { refuse } from '../orThrow.ts';
import { keptReads } from '../response.ts';
import { type Resource, route, type RouteContext } from '../route.ts';
import { instanceRoutes } from './instance.ts';
import { resourceRead, summary } from './resource.ts';
import { archiveRead, archiveSummary } from '../views/backupArchive.ts';
import { createdAtMs } from '../../rules/time.ts';
import { backupArchives } from '../../runtime/services/cluster/kinds.ts';

const path = { archive: objectName };
const noArchive = 'There is no such archive.';

const newestFirst = (archive: CoreBackupArchive) => [-createdAtMs(archive), archive.metadata.name];

const archiveIn = (ctx: RouterContext, { caches }: RouteContext, name: string): CoreBackupArchive =>
  caches.get(backupArchives, name) ?? refuse(ctx, 404, `backup archive "${name}" was not found`);

/** Archives of backups, which the platform alone writes (document 001, Endpoints). */
export const backupArchiveRoutes = {
  'GET /backup-archives': route(
    {
      group: 'Databases',
      summary: 'Lists the archives of backups, newest first.',
      path: {},
      query: Type.Object({
        ...placedQuery,
        database: Type.Optional(text('Only those of databases with this name.')),
      }),
      ...pages(summary, 'The archives.'),
    },
    (context) => {
      const send = resourceList(context, backupArchives, { show: archiveSummary, placeOf: newestFirst });
      return function listArchives(ctx, access, { query }) {
        const { database } = query;
        send(ctx, { access, query, isIn: ({ spec }) => database === undefined || spec.database === database });
      };
    },
  ),
  'GET /backup-archives/{archive}': route(
    {
      group: 'Databases',
      summary: 'Reads an archive with its restore points.',
      path,
      answers: read(resourceRead, 'The archive.'),
      refusals: { 404: noArchive },
    },
    (context) => {
      const send = keptReads(archiveRead);
      return (ctx, { view }, { path }) => send(ctx, archiveIn(ctx, context, path.archive), view);
    },
  ),
  ...instanceRoutes('/backup-archives/{archive}', {
    group: 'Databases',
    one: 'an archive',
    kind: backupArchives.kind,
    path,
    absent: noArchive,
    find: (ctx, context, _, { archive }) => archiveIn(ctx, context, archive),
  }),
} satisfies Resource;

import type { RouterContext } from '@koa/router';
import type { CoreBackupArchive } from '../../crds/coreBackupArchive.ts';
import { createdAtMs } from '../../rules/time.ts';
import { backupArchives } from '../../runtime/services/cluster/kinds.ts';
import { refuse } from '../orThrow.ts';
import { objectAnswers } from './instance.ts';
import { keptReads } from '../response.ts';
import { resourceList } from '../lists/resources.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';
import { archiveRead, archiveSummary } from '../views/backupArchive.ts';
import { restoreDatabase } from './databases/restore.ts';

const newestFirst = (archive: CoreBackupArchive) => [-createdAtMs(archive), archive.metadata.name];

/** Archives are written by the platform alone; from one of them a new database is made. */
export function backupArchiveRoutes(routes: Routes, context: ServerContext): void {
  const { operator } = context;
  const { explain, transitions, look } = objectAnswers(context, backupArchives.kind);
  const sendArchive = keptReads(archiveRead);
  const archiveIn = (ctx: RouterContext, name: string): CoreBackupArchive =>
    operator.caches.get(backupArchives, name) ?? refuse(ctx, 404, `backup archive "${name}" was not found`);

  const sendArchives = resourceList(context, backupArchives, { show: archiveSummary, placeOf: newestFirst });

  routes.on('GET /backup-archives', function listArchives(ctx, access, { query }) {
    const { database } = query;
    sendArchives(ctx, { access, query, isIn: ({ spec }) => database === undefined || spec.database === database });
  });

  routes.on('GET /backup-archives/{archive}', function readArchive(ctx, { view }, { path }) {
    return sendArchive(ctx, archiveIn(ctx, path.archive), view);
  });

  routes.on('GET /backup-archives/{archive}/explain', function explainArchive(ctx, { view }, { path }) {
    return explain(ctx, archiveIn(ctx, path.archive), view);
  });

  routes.on('GET /backup-archives/{archive}/transitions', function listTransitions(ctx, { view }, { path }) {
    transitions(ctx, archiveIn(ctx, path.archive), view);
  });

  routes.on('POST /backup-archives/{archive}/look', function lookAtArchive(ctx, _, { path }) {
    return look(ctx, archiveIn(ctx, path.archive));
  });

  routes.on('POST /databases/restore', restoreDatabase(context));
}

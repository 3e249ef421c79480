import type { CoreProject } from '../../crds/coreProject.ts';
import { generatedBucket } from '../../rules/backupStorage/place.ts';
import { storageCleared, storageSaved } from '../../rules/backupStorage/settings.ts';
import { foreignTo } from '../../runtime/controllers/cloudAccess/account.ts';
import { refuse } from '../orThrow.ts';
import { sendJson } from '../response.ts';
import { projectChanges, projectIn } from '../projectChange.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';
import { projectRead } from '../views/project.ts';

/** Where the backups of a project go. */
export function backupStorageRoutes(routes: Routes, context: ServerContext): void {
  const { caches } = context.operator;
  const change = projectChanges(context);

  routes.on('POST /projects/{project}/backup-storage/save', async function save(ctx, { view }, { path, body }) {
    projectIn(ctx, caches, path.project);
    const { connection, region } = body;
    const foreign = foreignTo(path.project, connection, caches);
    if (foreign !== null) return refuse(ctx, 400, foreign);
    const drawn = generatedBucket(context.random(4).toString('hex'));
    const project = await change(ctx, path.project, (found) =>
      storageSaved(found, {
        connectionRef: { name: connection },
        bucket: body.bucket ?? bucketBefore(found, connection) ?? drawn,
        ...(region ? { region } : {}),
      }),
    );
    return sendJson(ctx, projectRead(project, view));
  });

  routes.on('POST /projects/{project}/backup-storage/clear', async function clear(ctx, { view }, { path }) {
    return sendJson(ctx, projectRead(await change(ctx, path.project, storageCleared), view));
  });
}

/** Who names no bucket keeps the one that stands, unless it is in another account. */
const bucketBefore = ({ spec: { backupStorage } }: CoreProject, connection: string): string | undefined =>
  backupStorage?.connectionRef.name === connection ? backupStorage.bucket : undefined;

import { Optional as optional, Type } from '@sinclair/typebox';
import { type CoreProject, coreProject } from '../../crds/coreProject.ts';
import { objectName } from '../openapi/kit.ts';
import { uncached } from '../openapi/schema.ts';
import { refuse } from '../orThrow.ts';
import { projectChanges, projectIn } from './projects/change.ts';
import { sendJson } from '../response.ts';
import { type Resource, route } from '../route.ts';
import { resourceRead } from './resource.ts';
import { projectRead } from '../views/project.ts';
import { generatedBucket } from '../../rules/backupStorage/place.ts';
import { storageCleared, storageSaved } from '../../rules/backupStorage/settings.ts';
import { connectionRefusal } from '../../runtime/controllers/cloudAccess/read.ts';

const { bucket, region } = coreProject.spec.properties.backupStorage.properties;

/** Where the backups of a project go. */
const backupStorageRequest = Type.Object(
  {
    connection: Type.String({ ...objectName, description: 'A cloud connection of the project.' }),
    bucket: optional({ ...bucket, description: 'Created when it does not exist; without one, a name is drawn.' }),
    region,
  },
  { title: 'BackupStorageAsked' },
);

const group = 'Projects';
const project = { project: objectName };
const noProject = 'There is no such project.';

/** Where the backups of a project go (document 001, CoreProject > backupStorage). */
export const backupStorageRoutes = {
  'POST /projects/{project}/backup-storage/save': route(
    {
      group,
      summary: 'Chooses where the backups of a project go; archives that exist keep their place.',
      path: project,
      body: { schema: backupStorageRequest },
      answers: { 200: uncached(resourceRead, 'The project with its backup storage.') },
      refusals: { 404: noProject, 409: 'It is being deleted.' },
    },
    (context) => {
      const { random, caches } = context;
      return async function save(ctx, { view }, { path, body }) {
        projectIn(ctx, caches, path.project);
        const { connection, region } = body;
        const refusal = connectionRefusal(path.project, connection, caches);
        if (refusal !== null) return refuse(ctx, 400, refusal);
        const drawn = generatedBucket(random(4).toString('hex'));
        const project = await projectChanges(context)(ctx, path.project, (found) =>
          storageSaved(found, {
            connectionRef: { name: connection },
            bucket: body.bucket ?? bucketBefore(found, connection) ?? drawn,
            ...(region ? { region } : {}),
          }),
        );
        return sendJson(ctx, projectRead(project, view));
      };
    },
  ),
  'POST /projects/{project}/backup-storage/clear': route(
    {
      group,
      summary: 'Takes the backup storage from a project; the bucket and what is in it stay.',
      path: project,
      answers: { 200: uncached(resourceRead, 'The project without backup storage.') },
      refusals: { 404: noProject, 409: 'It is being deleted.' },
    },
    (context) =>
      async function clear(ctx, { view }, { path }) {
        return sendJson(ctx, projectRead(await projectChanges(context)(ctx, path.project, storageCleared), view));
      },
  ),
} satisfies Resource;

/** A request without a bucket keeps the current one, unless that is in another account. */
const bucketBefore = ({ spec: { backupStorage } }: CoreProject, connection: string): string | undefined =>
  backupStorage?.connectionRef.name === connection ? backupStorage.bucket : undefined;

import type { RouterContext } from '@koa/router';
import { Optional as optional, Type } from '@sinclair/typebox';
import { Effect, Result } from 'effect';
import { coreCloudConnection, type CoreCloudConnection } from '../../crds/coreCloudConnection.ts';
import { encode } from '../auth/directory.ts';
import { sendSorted } from '../lists/items.ts';
import { objectName } from '../openapi/kit.ts';
import { pageQuery, pages } from '../openapi/paging.ts';
import { uncached } from '../openapi/schema.ts';
import { alreadyExists, orThrow, refuse, savedOrThrow } from '../orThrow.ts';
import { projectChanges, projectIn } from './projects/change.ts';
import { sendJson } from '../response.ts';
import { type Resource, route, type RouteContext } from '../route.ts';
import { deleted, resourceRead, summary } from './resource.ts';
import { cloudConnectionRead, cloudConnectionSummary } from '../views/cloudConnection.ts';
import { defined } from '../../rules/defined.ts';
import { fieldLacking, isKeysOf, keysGiven, keysLabels, newConnection } from '../../rules/cloud/newConnection.ts';
import { ownerReference } from '../../rules/owned/ownerReference.ts';
import { changed } from '../../rules/project/change.ts';
import type { CacheReader } from '../../runtime/cache/reader.ts';
import { changeSecret } from '../../runtime/cache/secret.ts';
import { usersOf } from '../../runtime/controllers/cloudAccess/read.ts';
import { asSeen, Cluster } from '../../runtime/services/cluster/cluster.ts';
import { cloudConnections } from '../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { readSecret } from '../../runtime/services/secret.ts';

const { provider, region, endpoint, iamEndpoint } = coreCloudConnection.spec.properties;
const key = (description: string) => optional(Type.String({ description, maxLength: 1_024 }));

const settings = { region, endpoint, iamEndpoint };
const keys = {
  accessKeyId: key('Key of the account, for the provider `Cloud`.'),
  secretAccessKey: key('Its secret; never read back.'),
  organization: key('Organization at the provider `ManagedDb`.'),
  token: key('Its token; never read back.'),
};

/** A new link to an account, with its keys. */
const cloudConnectionRequest = Type.Object(
  {
    name: Type.String({
      description: 'At most 40 lowercase letters, digits and hyphens.',
      pattern: '^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$',
    }),
    provider,
    ...settings,
    ...keys,
  },
  { title: 'CloudConnectionAsked' },
);

/** Other settings or keys of a connection; what is left out stays. An address that is set stays as it is. */
const cloudConnectionChanged = Type.Object({ ...settings, ...keys }, { title: 'CloudConnectionChanged' });

const group = 'Projects';
const project = { project: objectName };
const path = { ...project, connection: objectName };
const noProject = 'There is no such project.';
const noConnection = 'The project has no such cloud connection.';

/** The accounts that a project is linked to; their keys go into a Secret and never come back. */
export const cloudConnectionRoutes = {
  'GET /projects/{project}/cloud-connections': route(
    {
      group,
      summary: 'Lists the cloud connections of a project, by name, without their keys.',
      path: project,
      query: Type.Object(pageQuery),
      ...pages(summary, 'The connections, each with what uses it.', { 404: noProject }),
    },
    (context) => {
      const { caches } = context;
      return function listConnections(ctx, access, { path, query }) {
        const { name: project } = projectIn(ctx, caches, path.project).metadata;
        const items = caches
          .list(cloudConnections)
          .filter(({ spec }) => spec.project === project)
          .map((connection) =>
            cloudConnectionSummary(connection, usersOf(connection.metadata.name, caches), access.view),
          );
        sendSorted(ctx, context, { access, query, items, placeOf: ({ name }) => [name] });
      };
    },
  ),
  'POST /projects/{project}/cloud-connections': route(
    {
      group,
      summary: 'Links a project to a cloud account or to a provider of managed databases.',
      path: project,
      body: { schema: cloudConnectionRequest },
      answers: { 201: uncached(resourceRead, 'The connection; its keys are checked now.') },
      refusals: { 404: noProject, 409: 'The name is taken, or the project is being deleted.' },
    },
    (context) => {
      const { operator, run, caches } = context;
      return async function connect(ctx, _, { path, body }) {
        // Refuses before anything is written where the project is missing or is being deleted.
        await projectChanges(context)(ctx, path.project, () => changed(null));
        const { name, provider } = body;
        const lacking = fieldLacking(provider, body);
        if (lacking !== null) return refuse(ctx, 400, `${lacking} is required for the provider ${provider}`);
        const taken = alreadyExists('cloud connection', name);
        if (caches.get(cloudConnections, name)) return refuse(ctx, taken.status, taken.text);
        const asked = newConnection(name, path.project, body);
        await refuseExternalKeys(ctx, context, asked);
        const added = await run(operator.add(cloudConnections, asked));
        const connection = savedOrThrow(ctx, added, { AlreadyExists: taken });
        const saved = await run(keysWritten(context, connection, keysGiven(provider, body)));
        // A connection that was refused its keys was not made.
        if (Result.isFailure(saved)) await run(removed(connection, caches));
        orThrow(ctx, saved);
        return sendJson(ctx, readOf(context, connection), 201);
      };
    },
  ),
  'PATCH /projects/{project}/cloud-connections/{connection}': route(
    {
      group,
      summary: 'Changes the settings or the keys of a cloud connection.',
      path,
      body: { schema: cloudConnectionChanged },
      answers: { 200: uncached(resourceRead, 'The connection as it is now.') },
      refusals: { 404: noConnection, 409: 'Its Secret was made by hand, or it was changed meanwhile.' },
    },
    (context) => {
      const { operator, run } = context;
      return async function patch(ctx, _, { path, body }) {
        const found = connectionIn(ctx, context, path);
        const keys = keysGiven(found.spec.provider, body);
        const hasKeys = Object.keys(keys).length > 0;
        if (hasKeys) await refuseExternalKeys(ctx, context, found);
        const { region, endpoint, iamEndpoint } = body;
        const fields = defined({ region, endpoint, iamEndpoint });
        const edited = await run(
          operator.edit(cloudConnections, found.metadata.name, () => ({
            patch: Object.keys(fields).length === 0 ? null : { spec: fields },
            result: null,
          })),
        );
        const { object } = savedOrThrow(ctx, edited);
        if (hasKeys) orThrow(ctx, await run(keysWritten(context, object, keys)));
        return sendJson(ctx, readOf(context, object));
      };
    },
  ),
  'DELETE /projects/{project}/cloud-connections/{connection}': route(
    {
      group,
      summary: 'Removes a cloud connection with its keys.',
      path,
      answers: { 200: uncached(deleted, 'It is gone.') },
      refusals: { 404: noConnection, 409: 'Backup storage, a bucket, a database or an archive names it.' },
    },
    (context) => {
      const { run, caches } = context;
      return async function remove(ctx, _, { path }) {
        const connection = connectionIn(ctx, context, path);
        const { name } = connection.metadata;
        const users = usersOf(name, caches);
        if (users.length > 0) return refuse(ctx, 409, `cloud connection "${name}" is used by ${users.join(', ')}`);
        orThrow(ctx, await run(removed(connection, caches)));
        return sendJson(ctx, { name, kind: 'CoreCloudConnection', deleted: true });
      };
    },
  ),
} satisfies Resource;

const readOf = ({ caches }: RouteContext, connection: CoreCloudConnection) =>
  cloudConnectionRead(connection, usersOf(connection.metadata.name, caches), 'whole');

function connectionIn(
  ctx: RouterContext,
  { caches }: RouteContext,
  { project, connection: name }: { readonly project: string; readonly connection: string },
): CoreCloudConnection {
  projectIn(ctx, caches, project);
  const found = caches.get(cloudConnections, name);
  return found?.spec.project === project ? found : refuse(ctx, 404, `cloud connection "${name}" was not found`);
}

/** Keys go only into a Secret that a request wrote; one that was made by hand is changed by hand. */
async function refuseExternalKeys(
  ctx: RouterContext,
  { run }: RouteContext,
  connection: CoreCloudConnection,
): Promise<void> {
  const { name } = connection.spec.secretRef;
  const found = orThrow(ctx, await run(readSecret(name)));
  if (found && !isKeysOf(connection, found))
    refuse(ctx, 409, `Secret "${name}" was not made by Core: change it by hand`);
}

function keysWritten(
  { caches }: RouteContext,
  connection: CoreCloudConnection,
  keys: Readonly<Record<string, string>>,
) {
  const { secretRef, project = '' } = connection.spec;
  const beside = { labels: keysLabels(project), owner: ownerReference(coreCloudConnection, connection) };
  const data = Object.fromEntries(Object.entries(keys).map(([key, value]) => [key, encode(value)]));
  return changeSecret(caches, secretRef.name, () => ({ keys: data, beside, result: null }));
}

/**
 * First the connection, so that nothing names keys that are gone. The Secret does not wait for the garbage collector,
 * because a new connection of the name may be made at once.
 */
const removed = (connection: CoreCloudConnection, reader: CacheReader) =>
  Effect.gen(function* () {
    const cluster = yield* Cluster;
    const { metadata, spec } = connection;
    yield* cluster.remove(
      cloudConnections,
      { name: metadata.name },
      metadata.uid === undefined ? {} : { uid: metadata.uid },
    );
    const isShared = reader
      .list(cloudConnections)
      .some((one) => one.metadata.name !== metadata.name && one.spec.secretRef.name === spec.secretRef.name);
    const secret = isShared ? undefined : yield* readSecret(spec.secretRef.name);
    if (secret && isKeysOf(connection, secret))
      yield* cluster.remove(secrets, { name: secret.metadata.name }, asSeen(secret));
  });

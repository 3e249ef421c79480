import type { RouterContext } from '@koa/router';
import { Effect, Result } from 'effect';
import { coreCloudConnection, type CoreCloudConnection } from '../../crds/coreCloudConnection.ts';
import { fieldLacking, isKeysOf, keysGiven, keysLabels, newConnection } from '../../rules/cloud/newConnection.ts';
import { ownerReference } from '../../rules/owned/ownerReference.ts';
import { changed } from '../../rules/project/change.ts';
import type { CacheReader } from '../../runtime/cache/reader.ts';
import { usersOf } from '../../runtime/controllers/cloudAccess/users.ts';
import { cloudConnections } from '../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { asSeen, Cluster } from '../../runtime/services/cluster/cluster.ts';
import { readSecret } from '../../runtime/services/secret.ts';
import { orThrow, savedOrThrow, refuse } from '../orThrow.ts';
import type { Deleted } from './resource.ts';
import { encode } from '../auth/directory.ts';
import { sendJson } from '../response.ts';
import { projectChanges, projectIn } from '../projectChange.ts';
import { sendSorted } from '../lists/items.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';
import { cloudConnectionRead, cloudConnectionSummary } from '../views/cloudConnection.ts';
import { changeSecret } from '../../runtime/cache/secret.ts';

/** The accounts that a project is linked to; their keys go into a Secret and never come back. */
export function cloudConnectionRoutes(routes: Routes, context: ServerContext): void {
  const { operator, run } = context;
  const { caches } = operator;
  const change = projectChanges(context);
  const readOf = (connection: CoreCloudConnection) =>
    cloudConnectionRead(connection, usersOf(connection.metadata.name, caches), 'whole');

  routes.on('GET /projects/{project}/cloud-connections', function listConnections(ctx, access, { path, query }) {
    const { name: project } = projectIn(ctx, caches, path.project).metadata;
    const items = caches
      .list(cloudConnections)
      .filter(({ spec }) => spec.project === project)
      .map((connection) => cloudConnectionSummary(connection, usersOf(connection.metadata.name, caches), access.view));
    sendSorted(ctx, context, { access, query, items, placeOf: ({ name }) => [name] });
  });

  routes.on('POST /projects/{project}/cloud-connections', async function connect(ctx, _, { path, body }) {
    // Refuses before anything is written where the project is missing or is being deleted.
    await change(ctx, path.project, () => changed(null));
    const { name, provider } = body;
    const lacking = fieldLacking(provider, body);
    if (lacking !== null) return refuse(ctx, 400, `${lacking} is required for the provider ${provider}`);
    const taken = () => refuse(ctx, 409, `cloud connection "${name}" already exists`);
    if (caches.get(cloudConnections, name)) return taken();
    const asked = newConnection(name, path.project, body);
    await refuseForeignKeys(ctx, asked);
    const added = await run(operator.add(cloudConnections, asked));
    if (Result.isFailure(added) && added.failure._tag === 'AlreadyExists') return taken();
    const connection = savedOrThrow(ctx, added);
    const saved = await run(keysWritten(connection, keysGiven(provider, body)));
    // A connection that was refused its keys was not made.
    if (Result.isFailure(saved)) await run(removed(connection, caches));
    orThrow(ctx, saved);
    return sendJson(ctx, readOf(connection), 201);
  });

  routes.on('PATCH /projects/{project}/cloud-connections/{connection}', async function patch(ctx, _, { path, body }) {
    const found = connectionIn(ctx, path);
    const keys = keysGiven(found.spec.provider, body);
    const hasKeys = Object.keys(keys).length > 0;
    if (hasKeys) await refuseForeignKeys(ctx, found);
    const { region, endpoint, iamEndpoint } = body;
    const fields = Object.fromEntries(
      Object.entries({ region, endpoint, iamEndpoint }).filter(([, value]) => value !== undefined),
    );
    const edited = await run(
      operator.edit(cloudConnections, found.metadata.name, () => ({
        patch: Object.keys(fields).length === 0 ? null : { spec: fields },
        result: null,
      })),
    );
    const { object } = savedOrThrow(ctx, edited);
    if (hasKeys) orThrow(ctx, await run(keysWritten(object, keys)));
    return sendJson(ctx, readOf(object));
  });

  routes.on('DELETE /projects/{project}/cloud-connections/{connection}', async function remove(ctx, _, { path }) {
    const connection = connectionIn(ctx, path);
    const { name } = connection.metadata;
    const users = usersOf(name, caches);
    if (users.length > 0) return refuse(ctx, 409, `cloud connection "${name}" is used by ${users.join(', ')}`);
    orThrow(ctx, await run(removed(connection, caches)));
    return sendJson(ctx, { name, kind: 'CoreCloudConnection', deleted: true } satisfies Deleted);
  });

  function connectionIn(
    ctx: RouterContext,
    { project, connection: name }: { readonly project: string; readonly connection: string },
  ): CoreCloudConnection {
    projectIn(ctx, caches, project);
    const found = caches.get(cloudConnections, name);
    return found?.spec.project === project ? found : refuse(ctx, 404, `cloud connection "${name}" was not found`);
  }

  /** Keys go only into a Secret that a request wrote; one that was made by hand is changed by hand. */
  async function refuseForeignKeys(ctx: RouterContext, connection: CoreCloudConnection): Promise<void> {
    const { name } = connection.spec.secretRef;
    const found = orThrow(ctx, await run(readSecret(name)));
    if (found && !isKeysOf(connection, found))
      refuse(ctx, 409, `Secret "${name}" was not made by Core: change it by hand`);
  }

  function keysWritten(connection: CoreCloudConnection, keys: Readonly<Record<string, string>>) {
    const { secretRef, project = '' } = connection.spec;
    const beside = { labels: keysLabels(project), owner: ownerReference(coreCloudConnection, connection) };
    const data = Object.fromEntries(Object.entries(keys).map(([key, value]) => [key, encode(value)]));
    return changeSecret(caches, secretRef.name, () => ({ keys: data, beside, result: null }));
  }
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

import { requireConfirmName } from '../request/confirmName.ts';
import type { RouterContext } from '@koa/router';
import { Type } from '@sinclair/typebox';
import { coreObjectStore, type CoreObjectStore } from '../../crds/coreObjectStore.ts';
import { type Access, callerIn } from '../auth/guard.ts';
import { clearedPatch } from '../request/clearedPatch.ts';
import { dependentsSender } from '../lists/dependents.ts';
import { sendInOrder } from '../lists/items.ts';
import { resourceList } from '../lists/resources.ts';
import { objectName, text } from '../openapi/kit.ts';
import { pageQuery, pages, sharedQuery } from '../openapi/paging.ts';
import { read, uncached } from '../openapi/schema.ts';
import { orThrow, refuse, savedOrThrow } from '../orThrow.ts';
import { keptReads, sendJson } from '../response.ts';
import { type Resource, route, type RouteContext } from '../route.ts';
import { instanceRoutes } from './instance.ts';
import { sendBucketConnection } from './objectStores/connection.ts';
import { createObjectStore } from './objectStores/create.ts';
import { bucketConnection, objectStoreRequest, objectStoreChanged } from './objectStores/shapes.ts';
import { change, created, deleted, dependent, deployed, done, resourceRead, summary } from './resource.ts';
import { changesOf } from '../views/changes.ts';
import { objectStoreRead, objectStoreSummary } from '../views/objectStore.ts';
import { placedOn } from '../views/placed.ts';
import type { DeployAsked } from '../../rules/draftDeploy/facts.ts';
import { stateOf } from '../../rules/state.ts';
import { bucketsOn } from '../../runtime/controllers/objectStore/read.ts';
import { objectStores } from '../../runtime/services/cluster/kinds.ts';

const path = { store: objectName };
const group = 'Databases';
const absent = 'There is no such object store.';
const noStore = (name: string) => `object store "${name}" was not found`;
interface Command {
  readonly name: string;
  readonly machine: 'draftDeploy' | 'provisionRetry';
  readonly asked: DeployAsked | 'deploy' | 'retry';
}

/** Buckets, and the servers that they are on: the machine that a route names decides. */
export const objectStoreRoutes = {
  'GET /object-stores': route(
    {
      group,
      summary: 'Lists the object stores by name.',
      path: {},
      query: Type.Object(sharedQuery),
      ...pages(summary, 'The object stores.'),
    },
    (context) => {
      const send = resourceList(context, objectStores, { show: objectStoreSummary, gated: 'bucket' });
      return (ctx, access, { query }) => send(ctx, { access, query });
    },
  ),
  'GET /object-stores/{store}': route(
    {
      group,
      summary: 'Reads an object store with its spec and status.',
      path,
      answers: read(resourceRead, 'The object store.'),
      refusals: { 404: absent },
    },
    (context) => {
      const send = keptReads(objectStoreRead);
      return (ctx, { view }, { path }) => send(ctx, storeIn(ctx, context, path.store), view);
    },
  ),
  'GET /object-stores/{store}/connection': route(
    {
      group,
      summary: 'Returns the connection of a bucket.',
      path,
      query: Type.Object({
        reveal: Type.Optional(text('`true` returns the secret key too, and is logged.')),
      }),
      answers: { 200: uncached(bucketConnection, 'The connection.') },
      refusals: { 404: absent, 409: 'The bucket has no connection yet, or it is a server.' },
    },
    (context) =>
      function readConnection(ctx, access, { path, query }) {
        sendBucketConnection(ctx, context, access, {
          store: storeIn(ctx, context, path.store),
          reveals: query.reveal === 'true',
        });
      },
  ),
  'POST /object-stores': route(
    {
      group,
      summary: 'Creates a bucket or a server, as a draft or deployed.',
      path: {},
      body: { schema: objectStoreRequest },
      answers: { 201: uncached(created, 'It is created; `deployed` says whether it is deployed too.') },
      refusals: { 409: 'The name is taken. Nothing was saved.' },
    },
    createObjectStore,
  ),
  'PATCH /object-stores/{store}': route(
    {
      group,
      summary: 'Saves settings of an object store; they wait for a deploy.',
      path,
      body: { schema: objectStoreChanged },
      answers: { 200: uncached(resourceRead, 'The object store with its saved settings.') },
      refusals: { 404: absent, 409: 'It is being deleted.' },
    },
    (context) =>
      async function patchStore(ctx, access, { path, body }) {
        const { displayName, ...fields } = body;
        const spec = clearedPatch(coreObjectStore.spec, storeIn(ctx, context, path.store).spec, fields);
        const asked = { is: 'save', spec, ...(displayName === undefined ? {} : { displayName }) } as const;
        const saved = await commanded(ctx, context, access, { name: path.store, machine: 'draftDeploy', asked });
        return sendJson(ctx, objectStoreRead(saved, access.view));
      },
  ),
  'GET /object-stores/{store}/dependents': route(
    {
      group,
      summary: 'Lists what uses it: services by their connections and build logs, and buckets on it.',
      path,
      query: Type.Object(pageQuery),
      ...pages(dependent, 'By kind and name, as far as the caller reads these fields.', { 404: absent }),
    },
    (context) =>
      function listDependents(ctx, access, { path, query }) {
        const { name } = storeIn(ctx, context, path.store).metadata;
        dependentsSender(context)(ctx, access, query, { kind: 'CoreObjectStore', name });
      },
  ),
  'GET /object-stores/{store}/changes': route(
    {
      group,
      summary: 'Lists what is saved and waits for a deploy, against what runs.',
      path,
      query: Type.Object(pageQuery),
      ...pages(change, 'The changes, by path.', { 404: absent }),
    },
    (context) =>
      function listChanges(ctx, access, { path, query }) {
        const items = changesOf('CoreObjectStore', storeIn(ctx, context, path.store), access.view);
        sendInOrder(ctx, context, { access, query, items, idOf: ({ path: at }) => at });
      },
  ),
  'DELETE /object-stores/{store}': route(
    {
      group,
      summary: 'Deletes an object store; a bucket that Core named goes with all that is in it.',
      path,
      query: Type.Object({ confirmName: Type.Optional(text('The name of the bucket, as a confirmation.')) }),
      answers: { 200: uncached(deleted, 'It is being deleted.') },
      refusals: { 404: absent, 409: 'Buckets are on the server, or another object store has taken the name.' },
    },
    (context) => {
      const { operator, run, caches } = context;
      return async function deleteStore(ctx, _, { path, query }) {
        const store = storeIn(ctx, context, path.store);
        const { name } = store.metadata;
        requireConfirmName(ctx, query.confirmName, name, 'bucket');
        const buckets = bucketsOn(store, caches);
        if (buckets.length > 0) return refuse(ctx, 409, `the object store server is used by ${buckets.join(', ')}`);
        orThrow(ctx, await run(operator.remove(placed(context, 'draftDeploy').controller, store)));
        return sendJson(ctx, { name, kind: 'CoreObjectStore', deleted: true });
      };
    },
  ),
  ...instanceRoutes('/object-stores/{store}', {
    group,
    one: 'an object store',
    kind: objectStores.kind,
    path,
    absent,
    find: (ctx, context, _, { store }) => storeIn(ctx, context, store),
  }),
  'POST /object-stores/{store}/deploy': route(
    {
      group,
      summary: 'Deploys the saved spec of an object store.',
      path,
      answers: { 200: uncached(deployed, 'It is deployed.') },
      refusals: { 404: absent, 409: 'It is being deleted. Nothing was saved.' },
    },
    (context) =>
      async function deployStore(ctx, access, { path }) {
        const store = await commanded(ctx, context, access, {
          name: path.store,
          machine: 'draftDeploy',
          asked: 'deploy',
        });
        const { name } = store.metadata;
        sendJson(ctx, { name, kind: 'CoreObjectStore', deployed: true, deployment: '', state: stateOf(store) });
      },
  ),
  'POST /object-stores/{store}/retry': route(
    {
      group,
      summary: 'Retries to provision an object store that was given up.',
      path,
      answers: { 200: uncached(done, 'Provisioning is retried.') },
      refusals: { 404: absent, 409: 'It was not given up, or it is being deleted.' },
    },
    (context) =>
      async function retryStore(ctx, access, { path }) {
        const store = await commanded(ctx, context, access, {
          name: path.store,
          machine: 'provisionRetry',
          asked: 'retry',
        });
        sendJson(ctx, {
          name: store.metadata.name,
          state: stateOf(store),
          note: 'Retrying provisioning',
        });
      },
  ),
} satisfies Resource;

const placed = ({ operator, settings }: RouteContext, machine: string) =>
  placedOn(operator, settings.machines, { kind: 'CoreObjectStore', machine });

const storeIn = (ctx: RouterContext, { caches }: RouteContext, name: string): CoreObjectStore =>
  caches.get(objectStores, name) ?? refuse(ctx, 404, noStore(name));

const commanded = async (
  ctx: RouterContext,
  context: RouteContext,
  access: Access,
  { name, machine, asked }: Command,
) => {
  const { operator, run } = context;
  storeIn(ctx, context, name);
  const { controller, lifecycle } = placed(context, machine);
  const moved = await run(operator.move(controller, lifecycle, name, { asked, by: callerIn(access).username }));
  return savedOrThrow(ctx, moved, { NotFound: { status: 404, text: noStore(name) } }) as CoreObjectStore;
};

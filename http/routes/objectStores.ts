import type { RouterContext } from '@koa/router';
import { coreObjectStore, type CoreObjectStore } from '../../crds/coreObjectStore.ts';
import type { DeployAsked } from '../../rules/draftDeploy/facts.ts';
import { stateOf } from '../../rules/state.ts';
import { bucketsOn } from '../../runtime/controllers/objectStore/read.ts';
import { objectStores } from '../../runtime/services/cluster/kinds.ts';
import { orThrow, savedOrThrow, refuse } from '../orThrow.ts';
import type { Deleted, Deployed, Done } from './resource.ts';
import { type Access, callerIn } from '../auth/guard.ts';
import { clearedPatch } from '../clearedPatch.ts';
import { objectAnswers } from './instance.ts';
import { keptReads, sendJson } from '../response.ts';
import { resourceList } from '../lists/resources.ts';
import { sendInOrder } from '../lists/items.ts';
import { dependentsSender } from '../lists/dependents.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';
import { changesOf } from '../views/changes.ts';
import { objectStoreRead, objectStoreSummary } from '../views/objectStore.ts';
import { placedOn } from '../views/placed.ts';
import { createObjectStore } from './objectStores/create.ts';
import { sendBucketConnection } from './objectStores/connection.ts';

const noStore = (name: string) => `object store "${name}" was not found`;

interface Command {
  readonly machine: 'draftDeploy' | 'provisionRetry';
  readonly asked: DeployAsked | 'deploy' | 'retry';
}

/** Buckets and servers, with their states and actions: the machine that a route names decides. */
export function objectStoreRoutes(routes: Routes, context: ServerContext): void {
  const { operator, settings, run } = context;
  const { caches } = operator;
  const sendDependents = dependentsSender(context);
  const { explain, transitions, look } = objectAnswers(context, objectStores.kind);
  const sendStore = keptReads(objectStoreRead);
  const placed = (machine: string) => placedOn(operator, settings.machines, { kind: 'CoreObjectStore', machine });
  const storeIn = (ctx: RouterContext, name: string): CoreObjectStore =>
    caches.get(objectStores, name) ?? refuse(ctx, 404, noStore(name));
  const commanded = async (ctx: RouterContext, access: Access, name: string, { machine, asked }: Command) => {
    storeIn(ctx, name);
    const { controller, lifecycle } = placed(machine);
    const moved = await run(operator.move(controller, lifecycle, name, { asked, by: callerIn(access).username }));
    return savedOrThrow(ctx, moved, { NotFound: { status: 404, text: noStore(name) } }) as CoreObjectStore;
  };

  const sendStores = resourceList(context, objectStores, { show: objectStoreSummary, gated: 'bucket' });

  routes.on('GET /object-stores', (ctx, access, { query }) => sendStores(ctx, { access, query }));

  routes.on('GET /object-stores/{store}', function readStore(ctx, { view }, { path }) {
    return sendStore(ctx, storeIn(ctx, path.store), view);
  });

  routes.on('GET /object-stores/{store}/connection', function readConnection(ctx, access, { path, query }) {
    sendBucketConnection(ctx, context, access, { store: storeIn(ctx, path.store), reveals: query.reveal === 'true' });
  });

  routes.on('GET /object-stores/{store}/dependents', function listDependents(ctx, access, { path, query }) {
    const { name } = storeIn(ctx, path.store).metadata;
    sendDependents(ctx, access, query, { kind: 'CoreObjectStore', name });
  });

  routes.on('POST /object-stores', createObjectStore(context));

  routes.on('PATCH /object-stores/{store}', async function patchStore(ctx, access, { path, body }) {
    const { displayName, ...fields } = body;
    const spec = clearedPatch(coreObjectStore.spec, storeIn(ctx, path.store).spec, fields);
    const asked = { is: 'save', spec, ...(displayName === undefined ? {} : { displayName }) } as const;
    const saved = await commanded(ctx, access, path.store, { machine: 'draftDeploy', asked });
    return sendJson(ctx, objectStoreRead(saved, access.view));
  });

  routes.on('GET /object-stores/{store}/changes', function listChanges(ctx, access, { path, query }) {
    const items = changesOf('CoreObjectStore', storeIn(ctx, path.store), access.view);
    sendInOrder(ctx, context, { access, query, items, idOf: ({ path: at }) => at });
  });

  routes.on('DELETE /object-stores/{store}', async function deleteStore(ctx, _, { path, query }) {
    const store = storeIn(ctx, path.store);
    const { name } = store.metadata;
    if (query.confirmName !== name) return refuse(ctx, 400, 'confirmName must be the name of the bucket');
    const buckets = bucketsOn(store, caches);
    if (buckets.length > 0) return refuse(ctx, 409, `the object store server is used by ${buckets.join(', ')}`);
    orThrow(ctx, await run(operator.remove(placed('draftDeploy').controller, store)));
    return sendJson(ctx, { name, kind: 'CoreObjectStore', deleted: true } satisfies Deleted);
  });

  routes.on('GET /object-stores/{store}/explain', function explainStore(ctx, { view }, { path }) {
    return explain(ctx, storeIn(ctx, path.store), view);
  });

  routes.on('GET /object-stores/{store}/transitions', function listTransitions(ctx, { view }, { path }) {
    transitions(ctx, storeIn(ctx, path.store), view);
  });

  routes.on('POST /object-stores/{store}/look', function lookAtStore(ctx, _, { path }) {
    return look(ctx, storeIn(ctx, path.store));
  });

  routes.on('POST /object-stores/{store}/deploy', async function deployStore(ctx, access, { path }) {
    const store = await commanded(ctx, access, path.store, { machine: 'draftDeploy', asked: 'deploy' });
    const { name } = store.metadata;
    const told = { name, kind: 'CoreObjectStore', deployed: true, deployment: '', state: stateOf(store) } as const;
    sendJson(ctx, told satisfies Deployed);
  });

  routes.on('POST /object-stores/{store}/retry', async function retryStore(ctx, access, { path }) {
    const store = await commanded(ctx, access, path.store, { machine: 'provisionRetry', asked: 'retry' });
    sendJson(ctx, {
      name: store.metadata.name,
      state: stateOf(store),
      note: 'Retrying provisioning',
    } satisfies Done);
  });
}

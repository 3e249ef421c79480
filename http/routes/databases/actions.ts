import { requireConfirmName } from '../../request/confirmName.ts';
import { uncached } from '../../openapi/schema.ts';
import { sendJson } from '../../response.ts';
import { type Resource, route } from '../../route.ts';
import { commandedDatabase, databaseIn } from './databaseIn.ts';
import { noDatabase, path } from './described.ts';
import { queryDatabase } from './query.ts';
import { queryAnswer, queryRequest, stopRequest } from './shapes.ts';
import { refuseServerInUse } from './sharedServer.ts';
import { deployed, done } from '../resource.ts';
import { stateOf } from '../../../rules/state.ts';

/** The commands of a database: deploy, stop, retry, run a statement. */
export const databaseActionRoutes = {
  'POST /databases/{database}/deploy': route(
    {
      group: 'Databases',
      summary: 'Deploys the saved spec of a database.',
      path,
      answers: { 200: uncached(deployed, 'It is deployed.') },
      refusals: { 404: noDatabase, 409: 'The cluster has no room for it, or it is being deleted. Nothing was saved.' },
    },
    (context) =>
      async function deployDatabase(ctx, access, { path }) {
        const database = await commandedDatabase(ctx, context, access, {
          name: path.database,
          machine: 'draftDeploy',
          asked: 'deploy',
        });
        const { name } = database.metadata;
        const state = stateOf(database);
        sendJson(ctx, { name, kind: 'CoreDatabase', deployed: true, deployment: '', state });
      },
  ),
  'POST /databases/{database}/stop': route(
    {
      group: 'Databases',
      summary: 'Makes a database a draft again: what runs of it is deleted, the data too, but those of MySQL.',
      path,
      body: { schema: stopRequest },
      answers: { 200: uncached(done, 'It is being stopped.') },
      refusals: {
        404: noDatabase,
        409: 'Logical databases use the shared server, it is a draft already, or it is being deleted.',
      },
    },
    (context) =>
      async function stopDatabase(ctx, access, { path, body }) {
        const stored = databaseIn(ctx, context, path.database);
        const { name } = stored.metadata;
        requireConfirmName(ctx, body.confirmName, name, 'database');
        refuseServerInUse(ctx, context, stored);
        const database = await commandedDatabase(ctx, context, access, { name, machine: 'draftDeploy', asked: 'stop' });
        return sendJson(ctx, { name, state: stateOf(database), note: 'Stopping' });
      },
  ),
  'POST /databases/{database}/query': route(
    {
      group: 'Databases',
      summary: 'Runs a statement by the client of its engine, in the pod of the primary; it is not logged.',
      path,
      body: { schema: queryRequest, maxBytes: 1024 * 1024 },
      answers: { 200: uncached(queryAnswer, 'The statement was run; a failed one has another exit code than 0.') },
      refusals: {
        404: noDatabase,
        409: 'It is external, or not running.',
        502: 'The statement was not run to its end.',
      },
    },
    queryDatabase,
  ),
  'POST /databases/{database}/retry': route(
    {
      group: 'Databases',
      summary: 'Retries to provision a database that was given up.',
      path,
      answers: { 200: uncached(done, 'Provisioning is retried.') },
      refusals: { 404: noDatabase, 409: 'It was not given up, or it is being deleted.' },
    },
    (context) =>
      async function retryDatabase(ctx, access, { path }) {
        const database = await commandedDatabase(ctx, context, access, {
          name: path.database,
          machine: 'provisionRetry',
          asked: 'retry',
        });
        const note = 'Retrying provisioning';
        sendJson(ctx, { name: database.metadata.name, state: stateOf(database), note });
      },
  ),
} satisfies Resource;

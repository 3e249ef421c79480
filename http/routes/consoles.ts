import { Type } from '@sinclair/typebox';
import type { CoreConsoleSession } from '../../crds/coreConsoleSession.ts';
import { offersSocket } from '../console/upgrades.ts';
import { sendInOrder } from '../lists/items.ts';
import { objectName, text } from '../openapi/kit.ts';
import { pageQuery, pages } from '../openapi/paging.ts';
import { uncached, type SuccessResponse } from '../openapi/schema.ts';
import { refuse } from '../orThrow.ts';
import { type Resource, route } from '../route.ts';
import { serviceIn } from './apps/serviceIn.ts';
import { attachSocket, attachStream } from './consoles/attach.ts';
import { createSession } from './consoles/create.ts';
import { consoleRequest, consoleCreated, consoleSessionItem } from './consoles/shapes.ts';
import { sessionsOfApp } from '../views/consoleSessions.ts';
import { isOfStore } from '../../rules/consoleSession/target.ts';
import { objectStores } from '../../runtime/services/cluster/kinds.ts';

const group = 'Consoles';
const query = Type.Object({ session: text('The name of the session.') });
const attachRefusals = {
  400: 'The pod does not run, or is not part of it; or the handshake is malformed.',
  404: 'There is no such session.',
  409: 'The session has not started within 10 s, or has an open terminal already.',
  410: 'The session has ended.',
  503: 'Too many terminals are open, or the Kubernetes API does not answer.',
} as const;
const socket: SuccessResponse = {
  when: [
    'A WebSocket. Binary frames are what is typed and shown. Text frames are JSON: `{"resize":{"cols","rows"}}`',
    '(1 to 1000) and `{"ack":<bytes shown so far>}`, after which at most 256 KiB stay unacknowledged; before a normal',
    'close comes `{"exit":{"code"}}`.',
  ].join(' '),
  content: [],
};

/** A service and an object store may share a name. */
const isOfApp =
  (app: string) =>
  ({ spec }: CoreConsoleSession): boolean =>
    spec.app === app && !isOfStore(spec);
const isOfServer =
  (store: string) =>
  ({ spec }: CoreConsoleSession): boolean =>
    spec.app === store && isOfStore(spec);

/** Terminals in the pods of services and of object stores: opening a session, attaching to it, and who did. */
export const consoleRoutes = {
  'POST /apps/{app}/console/create': route(
    {
      group,
      summary: 'Opens a console session in a running pod of a service.',
      path: { app: objectName },
      body: { schema: consoleRequest },
      answers: { 201: uncached(consoleCreated, 'The session; its time runs once it is active.') },
      refusals: { 400: 'The target or the command is missing, or does not fit.', 404: 'There is no such service.' },
    },
    (context) =>
      (ctx, access, { body: fields }) => {
        const { metadata, spec } = serviceIn(ctx, context, access);
        const of = { app: metadata.name, project: spec.project, environment: spec.environment };
        return createSession(ctx, context, { access, of, fields });
      },
  ),
  'GET /apps/{app}/console/ws': route(
    {
      group,
      summary: 'Attaches a terminal to a session.',
      path: { app: objectName },
      query,
      answers: { 101: socket },
      refusals: { ...attachRefusals, 426: 'It is asked for without a WebSocket.' },
    },
    (context) =>
      (ctx, access, { path, query }) => {
        if (!offersSocket(ctx)) {
          ctx.set('Upgrade', 'websocket');
          return refuse(ctx, 426, 'this address takes a WebSocket');
        }
        return attachSocket(ctx, context, {
          access,
          session: query.session,
          isOf: isOfApp(path.app),
          endpoint: 'terminal',
        });
      },
  ),
  'GET /apps/{app}/console/sessions': route(
    {
      group,
      summary: 'Lists the console sessions of a service, the newest first.',
      path: { app: objectName },
      query: Type.Object(pageQuery),
      ...pages(consoleSessionItem, 'The sessions.', { 404: 'There is no such service.' }),
    },
    (context) => {
      const { caches } = context;
      return (ctx, access, { query }) => {
        const { metadata } = serviceIn(ctx, context, access);
        const items = sessionsOfApp(metadata.name, caches);
        return sendInOrder(ctx, context, { access, query, items, idOf: ({ session }) => session });
      };
    },
  ),
  'POST /object-stores/{store}/console/create': route(
    {
      group,
      summary: "Opens a console session in the pod of the cluster's object-store server.",
      path: { store: objectName },
      body: { schema: consoleRequest },
      answers: { 201: uncached(consoleCreated, 'The session; its time runs once it is active.') },
      refusals: {
        400: 'The target or the command is missing, or does not fit.',
        404: 'There is no such object store.',
      },
    },
    (context) => {
      const { caches } = context;
      return (ctx, access, { path, body: fields }) => {
        if (!caches.get(objectStores, path.store))
          return refuse(ctx, 404, `object store "${path.store}" was not found`);
        const of = { app: path.store, project: '', environment: '' };
        return createSession(ctx, context, { access, of, fields });
      };
    },
  ),
  'GET /object-stores/{store}/console/stream': route(
    {
      group,
      summary: 'Attaches a terminal to such a session, or streams the output of its command.',
      path: { store: objectName },
      query,
      answers: {
        101: socket,
        200: { when: 'What the command writes, until it ends.', content: [{ is: 'bytes' }] },
      },
      refusals: attachRefusals,
    },
    (context) =>
      (ctx, access, { path, query }) => {
        const wanted = { access, session: query.session, isOf: isOfServer(path.store), endpoint: 'stream' as const };
        return offersSocket(ctx) ? attachSocket(ctx, context, wanted) : attachStream(ctx, context, wanted);
      },
  ),
} satisfies Resource;

import type { CoreConsoleSession } from '../../../crds/coreConsoleSession.ts';
import { isOfStore } from '../../../rules/consoleSession/target.ts';
import { objectStores } from '../../../runtime/services/cluster/kinds.ts';
import type { Terminals } from '../../../runtime/terminals/terminals.ts';
import { refuse } from '../../orThrow.ts';
import { offersSocket } from '../../console/upgrades.ts';
import { sendInOrder } from '../../lists/items.ts';
import type { Routes } from '../../registeredRoutes.ts';
import type { ServerContext } from '../../context.ts';
import { sessionsOfApp } from '../../views/consoleSessions.ts';
import { serviceIn } from '../apps/serviceIn.ts';
import { attachSocket, attachStream } from '../consoles/attach.ts';
import { createSession } from '../consoles/create.ts';

/** A service and an object store may share a name. */
const isOfApp =
  (app: string) =>
  ({ spec }: CoreConsoleSession): boolean =>
    spec.app === app && !isOfStore(spec);
const isOfServer =
  (store: string) =>
  ({ spec }: CoreConsoleSession): boolean =>
    spec.app === store && isOfStore(spec);

/** Terminals: opening a session, attaching to it, and who did. */
export function consoleRoutes(routes: Routes, context: ServerContext, terminals: Terminals): void {
  const { caches } = context.operator;
  const given = { ...context, terminals };

  routes.on('POST /apps/{app}/console/create', (ctx, access, { body: fields }) => {
    const { metadata, spec } = serviceIn(ctx, context, access);
    const of = { app: metadata.name, project: spec.project, environment: spec.environment };
    return createSession(ctx, context, { access, of, fields });
  });

  routes.on('GET /apps/{app}/console/ws', (ctx, access, { path, query }) => {
    if (!offersSocket(ctx)) {
      ctx.set('Upgrade', 'websocket');
      return refuse(ctx, 426, 'this address takes a WebSocket');
    }
    return attachSocket(ctx, given, { access, session: query.session, isOf: isOfApp(path.app), endpoint: 'terminal' });
  });

  routes.on('GET /apps/{app}/console/sessions', (ctx, access, { query }) => {
    const { metadata } = serviceIn(ctx, context, access);
    const items = sessionsOfApp(metadata.name, caches);
    return sendInOrder(ctx, context, { access, query, items, idOf: ({ session }) => session });
  });

  routes.on('POST /object-stores/{store}/console/create', (ctx, access, { path, body: fields }) => {
    if (!caches.get(objectStores, path.store)) return refuse(ctx, 404, `object store "${path.store}" was not found`);
    const of = { app: path.store, project: '', environment: '' };
    return createSession(ctx, context, { access, of, fields });
  });

  routes.on('GET /object-stores/{store}/console/stream', (ctx, access, { path, query }) => {
    const wanted = { access, session: query.session, isOf: isOfServer(path.store), endpoint: 'stream' as const };
    return offersSocket(ctx) ? attachSocket(ctx, given, wanted) : attachStream(ctx, given, wanted);
  });
}

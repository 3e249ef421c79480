import type { UserItem } from '../openapi/shapes/access.ts';
import type { Sessions } from '../auth/sessions.ts';
import { sendSorted } from '../lists/items.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';

/** The users in the sign-in Secret; only kubectl writes them. */
export function userRoutes(routes: Routes, context: ServerContext, { directory }: Pick<Sessions, 'directory'>): void {
  routes.on('GET /users', function listUsers(ctx, access, { query }) {
    const { users, unusable } = directory();
    const items: readonly UserItem[] = [
      ...[...users].map(([name, { role }]) => ({ name, role, usable: true, problem: '' })),
      ...[...unusable].map(([name, { role, problem }]) => ({ name, role, usable: false, problem })),
    ];
    sendSorted(ctx, context, { access, query, items, placeOf: ({ name }) => [name] });
  });
}

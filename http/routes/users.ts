import type { Items, UserItem } from '../api.ts';
import type { Sessions } from '../auth/sessions.ts';
import { sendJson } from '../json.ts';
import type { Routes } from '../route.ts';

/** The users in the sign-in Secret; only kubectl writes them. */
export function userRoutes(routes: Routes, { directory }: Pick<Sessions, 'directory'>): void {
  routes.on('GET /users', function listUsers(ctx) {
    const { users, unusable } = directory();
    const items: readonly UserItem[] = [
      ...[...users].map(([name, { role }]) => ({ name, role, usable: true, problem: '' })),
      ...[...unusable].map(([name, { role, problem }]) => ({ name, role, usable: false, problem })),
    ];
    sendJson(ctx, { items: items.toSorted((a, b) => a.name.localeCompare(b.name, 'en')) } satisfies Items<UserItem>);
  });
}

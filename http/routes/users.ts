import { Type } from '@sinclair/typebox';
import { sendSorted } from '../lists/items.ts';
import { type ReadonlyStatic, text } from '../openapi/kit.ts';
import { pageQuery, pages } from '../openapi/paging.ts';
import { type Resource, route } from '../route.ts';

const user = Type.Object(
  {
    name: text(),
    role: text('As written in the Secret: admin or viewer for a usable user.'),
    usable: Type.Boolean({ description: 'Whether the user can sign in.' }),
    problem: text('Why the user cannot sign in; empty otherwise.'),
  },
  { title: 'User' },
);
/** GET /api/v1/users, by name: a user of the sign-in Secret, without password and epoch. Written with kubectl alone. */
export type UserItem = ReadonlyStatic<typeof user>;

/** The users in the sign-in Secret; only kubectl writes them. */
export const userRoutes = {
  'GET /users': route(
    {
      group: 'Access',
      summary: 'Lists the users by name, and says why one cannot sign in.',
      path: {},
      query: Type.Object(pageQuery),
      ...pages(user, 'The users, without passwords and hashes.'),
    },
    (context) => {
      const { sessions } = context;
      return function listUsers(ctx, access, { query }) {
        const { users, unusable } = sessions.directory();
        const items = [
          ...[...users].map(([name, { role }]) => ({ name, role, usable: true, problem: '' })),
          ...[...unusable].map(([name, { role, problem }]) => ({ name, role, usable: false, problem })),
        ];
        sendSorted(ctx, context, { access, query, items, placeOf: ({ name }) => [name] });
      };
    },
  ),
} satisfies Resource;

import { Refusal } from '../answer.ts';
import { pageOf } from '../page.ts';
import { installationId, ownerJson } from '../payload.ts';
import type { Route } from '../route.ts';
import type { Tokens } from '../tokens.ts';

/** The application in the responses of the Git host. */
export interface ShownApp {
  readonly appId: string;
  readonly clientId: string;
  readonly slug: string;
}

const permissions = { checks: 'read', contents: 'read', metadata: 'read', pull_requests: 'read' };
const events = ['push', 'pull_request'];

/** The application's requests about itself, and the tokens of its one installation. */
export function applicationRoutes(app: ShownApp, tokens: Tokens): readonly Route[] {
  const application = {
    id: Number(app.appId),
    client_id: app.clientId,
    slug: app.slug,
    name: app.slug,
    owner: ownerJson('local'),
    permissions,
    events,
  };
  const installation = {
    id: installationId,
    app_id: application.id,
    app_slug: app.slug,
    account: ownerJson('local'),
    target_type: 'User',
    repository_selection: 'all',
    suspended_at: null,
    permissions,
    events,
  };
  const known = (id: string) => {
    if (id !== String(installationId)) throw new Refusal(404);
  };
  return [
    { method: 'GET', path: '/api/app', access: 'application', run: () => ({ status: 200, body: application }) },
    {
      method: 'GET',
      path: '/api/app/installations',
      access: 'application',
      run: ({ url }) => {
        const { items, headers } = pageOf([installation], url);
        return { status: 200, body: items, headers };
      },
    },
    {
      method: 'GET',
      path: '/api/app/installations/:id',
      access: 'application',
      run: ({ part }) => {
        known(part('id'));
        return { status: 200, body: installation };
      },
    },
    {
      method: 'POST',
      path: '/api/app/installations/:id/access_tokens',
      access: 'application',
      run: async ({ part }) => {
        known(part('id'));
        const { token, expiresAt } = await tokens.issue();
        return { status: 201, body: { token, expires_at: expiresAt, permissions, repository_selection: 'all' } };
      },
    },
  ];
}

import { Refusal } from '../answer.ts';
import type { Apps, ShownApp } from '../apps.ts';
import { tokenIn } from '../credentials.ts';
import { pageOf } from '../page.ts';
import { installationId, ownerJson } from '../payload.ts';
import type { Call, Route } from '../route.ts';
import type { Tokens } from '../tokens.ts';

export const permissions = { checks: 'read', contents: 'read', metadata: 'read', pull_requests: 'read' };
export const events = ['push', 'pull_request'];

const applicationJson = ({ appId, clientId, slug }: ShownApp) => ({
  id: Number(appId),
  client_id: clientId,
  slug,
  name: slug,
  owner: ownerJson('local'),
  permissions,
  events,
});

const installationJson = ({ appId, slug }: ShownApp) => ({
  id: installationId,
  app_id: Number(appId),
  app_slug: slug,
  account: ownerJson('local'),
  target_type: 'User',
  repository_selection: 'all',
  suspended_at: null,
  permissions,
  events,
});

/** An application's requests about itself, and the tokens of its one installation. */
export function applicationRoutes(apps: Pick<Apps, 'of'>, tokens: Tokens): readonly Route[] {
  const asking = ({ request }: Call) => apps.of(tokenIn(request) ?? '');
  const known = (id: string) => {
    if (id !== String(installationId)) throw new Refusal(404);
  };
  return [
    {
      method: 'GET',
      path: '/api/app',
      access: 'application',
      run: (call) => ({ status: 200, body: applicationJson(asking(call)) }),
    },
    {
      method: 'GET',
      path: '/api/app/installations',
      access: 'application',
      run: (call) => {
        const { items, headers } = pageOf([installationJson(asking(call))], call.url);
        return { status: 200, body: items, headers };
      },
    },
    {
      method: 'GET',
      path: '/api/app/installations/:id',
      access: 'application',
      run: (call) => {
        known(call.part('id'));
        return { status: 200, body: installationJson(asking(call)) };
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

import { Optional as optional, type Static, Type } from '@sinclair/typebox';
import type { Context } from 'koa';
import { callerIn } from '../auth/guard.ts';
import { printableName } from '../auth/printable.ts';
import type { NewToken } from '../auth/tokens/make.ts';
import type { Place } from '../lists/continue.ts';
import { sendSorted } from '../lists/items.ts';
import { oneOf, orNull, pathText, type ReadonlyStatic, text, time } from '../openapi/kit.ts';
import { pageQuery, pages } from '../openapi/paging.ts';
import { uncached } from '../openapi/schema.ts';
import { orThrow, refuse } from '../orThrow.ts';
import { hasEnvironment, liveProject, noProject } from './projects/liveProject.ts';
import { sendJson, sendPlain } from '../response.ts';
import { type Resource, route, type RouteContext } from '../route.ts';
import { role } from './resource.ts';
import { tokenItem } from '../views/token.ts';
import type { Role, Scope } from '../../rules/access/caller.ts';
import { msOf } from '../../rules/time.ts';

const maxName = 64;

const tokenFields = {
  id: text('The public identifier.'),
  name: text(),
  kind: oneOf('workspace', 'project'),
  role,
  project: optional(text('For a project token only.')),
  environment: optional(text('For a project token only.')),
  createdAt: time(),
  createdBy: text(),
  expiresAt: optional(time('Absent for a token that never expires.')),
  lastUsedAt: optional(time('Written at most once every 10 minutes.')),
  expired: Type.Boolean(),
};

const token = Type.Object(tokenFields, { title: 'Token' });
/** GET /api/v1/tokens, by name: an API token without its secret. */
export type ApiToken = ReadonlyStatic<typeof token>;
const newToken = Type.Object(
  { ...tokenFields, token: text('The secret text of the token, returned only once.') },
  { title: 'NewToken' },
);
/** The response to POST /api/v1/tokens, and the only one that carries the token. */
export type NewApiToken = ReadonlyStatic<typeof newToken>;

const tokenRequest = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    role: optional(oneOf('admin', 'observer', 'viewer')),
    project: optional(
      Type.String({ description: 'Together with `environment`: restricts the token to that environment.' }),
    ),
    environment: optional(Type.String()),
    expiresAt: optional(orNull(time('At most ten years from now; null for never.'))),
  },
  { title: 'TokenAsked' },
);
/** POST /api/v1/tokens: a role, or project and environment. */
export type TokenRequest = ReadonlyStatic<typeof tokenRequest>;

/** API tokens: made, listed and revoked by a signed-in admin (document 002, Authentication 1). */
export const tokenRoutes = {
  'GET /tokens': route(
    {
      group: 'Tokens',
      summary: 'Lists the API tokens by name.',
      path: {},
      query: Type.Object(pageQuery),
      ...pages(token, 'The tokens, without their secret texts.'),
    },
    (context) => {
      const { now, tokens } = context;
      return function listTokens(ctx, access, { query }) {
        const items = tokens.list().map((record) => tokenItem(record, now()));
        sendSorted(ctx, context, { access, query, items, placeOf: byName });
      };
    },
  ),
  'POST /tokens': route(
    {
      group: 'Tokens',
      summary: 'Creates an API token, for the workspace or for one environment.',
      path: {},
      body: { schema: tokenRequest },
      answers: { 201: uncached(newToken, 'The token with its secret text, which is returned only once.') },
    },
    (context) => {
      const { run, now, tokens } = context;
      return async function createToken(ctx, access, { body }) {
        const newToken = tokenIn(ctx, context, body);
        const created = orThrow(ctx, await run(tokens.create(newToken, callerIn(access))));
        if (created.is === 'refused') return refuse(ctx, 400, created.message);
        const { record, text } = created;
        // The project was deleted meanwhile: the text is not returned, and the leader removes the hash.
        const lacking = newToken.scope === null ? null : placeLacking(context, newToken.scope);
        if (lacking !== null) return refuse(ctx, 400, lacking);
        return sendPlain(ctx, { ...tokenItem(record, now()), token: text }, 201);
      };
    },
  ),
  'DELETE /tokens/{token}': route(
    {
      group: 'Tokens',
      summary: 'Revokes an API token at once.',
      path: { token: pathText },
      answers: { 200: uncached(token, 'The revoked token.') },
      refusals: { 404: 'There is no token with this id.' },
    },
    ({ run, now, tokens }) =>
      async function revokeToken(ctx, access, { path: { token: id } }) {
        const revoked = orThrow(ctx, await run(tokens.revoke(id, callerIn(access))));
        if (revoked.is === 'unknown') return refuse(ctx, 404, `no API token has the ID "${id.slice(0, 80)}"`);
        if (revoked.is === 'refused') return refuse(ctx, 403, revoked.message);
        return sendJson(ctx, tokenItem(revoked.record, now()));
      },
  ),
} satisfies Resource;

/** Names may repeat, as those of devices do; then the older one comes first. */
const byName = ({ name, createdAt, id }: ApiToken): Place => [name, createdAt, id];

type Fields = Static<typeof tokenRequest>;

function tokenIn(ctx: Context, context: RouteContext, fields: Fields): NewToken {
  const name = printableName(fields.name, maxName);
  if (name === null) return refuse(ctx, 400, `name must be 1 to ${maxName} printable characters`);
  const scope = scopeIn(ctx, fields);
  const expiresAt = expiryIn(ctx, fields);
  if (scope === null) return { name, role: roleIn(ctx, fields), scope, projectUid: null, expiresAt };
  const lacking = placeLacking(context, scope);
  if (lacking !== null) return refuse(ctx, 400, lacking);
  const project = liveProject(context.operator.caches, scope.project);
  // A project token acts on its environment as an admin would; the routes refuse what it may not do there.
  return { name, role: 'admin', scope, projectUid: project?.metadata.uid ?? null, expiresAt };
}

/** Why there can be no token of an environment; null where there can. */
function placeLacking({ operator }: RouteContext, { project: name, environment }: Scope): string | null {
  const project = liveProject(operator.caches, name);
  if (!project) return noProject(name);
  return hasEnvironment(project, environment) ? null : `the project "${name}" has no environment "${environment}"`;
}

const roleIn = (ctx: Context, { role }: Fields): Role =>
  role ?? refuse(ctx, 400, 'role must be admin, observer or viewer');

const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

const isLabel = (text: string | undefined): text is string => text !== undefined && label.test(text);

/** The environment of a project token; null for a token of the workspace. */
function scopeIn(ctx: Context, { project, environment, role }: Fields): Scope | null {
  if (!project && !environment) return null;
  if (role !== undefined)
    return refuse(ctx, 400, 'a project token has no role: give a role, or a project and an environment');
  if (!isLabel(project)) return refuse(ctx, 400, 'project must be the name of a project');
  if (!isLabel(environment)) return refuse(ctx, 400, 'environment must be the name of an environment');
  return { project, environment };
}

/** When it expires; null for never. The schema ensures the format of a time, but not that the day exists. */
function expiryIn(ctx: Context, { expiresAt }: Fields): number | null {
  if (expiresAt === undefined || expiresAt === null) return null;
  return isDay(expiresAt.slice(0, 10)) ? msOf(expiresAt) : refuse(ctx, 400, 'expiresAt is not a valid date');
}

/** `Date` parses 31 February as 3 March. */
const isDay = (day: string): boolean => {
  const time = msOf(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
};

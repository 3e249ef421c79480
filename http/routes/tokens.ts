import type { Context } from 'koa';
import type { Role, Scope } from '../../rules/access/caller.ts';
import { msOf } from '../../rules/time.ts';
import { orThrow, refuse } from '../orThrow.ts';
import type { ApiToken, NewApiToken } from '../openapi/shapes/access.ts';
import { callerIn } from '../auth/guard.ts';
import { printableName } from '../auth/printable.ts';
import type { NewToken } from '../auth/tokens/make.ts';
import type { TokenStore } from '../auth/tokens.ts';
import { sendJson, sendPlain } from '../response.ts';
import type { Place } from '../lists/continue.ts';
import { sendSorted } from '../lists/items.ts';
import type { Asked } from '../openapi/schemas.ts';
import { hasEnvironment, liveProject, noProject } from '../projects.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';
import { tokenItem } from '../views/token.ts';

const nameAtMost = 64;

/** API tokens: made, listed and revoked by a signed-in admin (document 002, Authentication 1). */
export function tokenRoutes(routes: Routes, context: ServerContext, tokens: TokenStore): void {
  const { now, run } = context;

  routes.on('GET /tokens', function listTokens(ctx, access, { query }) {
    const items = tokens.list().map((record) => tokenItem(record, now()));
    sendSorted(ctx, context, { access, query, items, placeOf: byName });
  });

  routes.on('POST /tokens', async function createToken(ctx, access, { body }) {
    const asked = tokenIn(ctx, context, body);
    const created = orThrow(ctx, await run(tokens.create(asked, callerIn(access))));
    if (created.is === 'refused') return refuse(ctx, 400, created.why);
    const { record, text } = created;
    // It was deleted while its token was made: nobody gets the text, and the leader removes the hash.
    const lacking = asked.scope === null ? null : placeLacking(context, asked.scope);
    if (lacking !== null) return refuse(ctx, 400, lacking);
    return sendPlain(ctx, { ...tokenItem(record, now()), token: text } satisfies NewApiToken, 201);
  });

  routes.on('DELETE /tokens/{token}', async function revokeToken(ctx, access, { path: { token: id } }) {
    const revoked = orThrow(ctx, await run(tokens.revoke(id, callerIn(access))));
    if (revoked.is === 'unknown') return refuse(ctx, 404, `no API token has the ID "${id.slice(0, 80)}"`);
    if (revoked.is === 'refused') return refuse(ctx, 403, revoked.why);
    return sendJson(ctx, tokenItem(revoked.record, now()));
  });
}

/** Names may repeat, as those of devices do; then the older one comes first. */
const byName = ({ name, createdAt, id }: ApiToken): Place => [name, createdAt, id];

type Fields = Asked<'POST /tokens'>['body'];

function tokenIn(ctx: Context, context: ServerContext, fields: Fields): NewToken {
  const name = printableName(fields.name, nameAtMost);
  if (name === null) return refuse(ctx, 400, `name must be 1 to ${nameAtMost} printable characters`);
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
function placeLacking({ operator }: ServerContext, { project: name, environment }: Scope): string | null {
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
  return isDay(expiresAt.slice(0, 10)) ? msOf(expiresAt) : refuse(ctx, 400, 'expiresAt is a day that there is not');
}

/** `Date` parses 31 February as 3 March. */
const isDay = (day: string): boolean => {
  const time = msOf(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
};

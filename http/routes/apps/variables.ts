import type { RouterContext } from '@koa/router';
import { Type } from '@sinclair/typebox';
import type { CoreApp } from '../../../crds/coreApp.ts';
import type { Access } from '../../auth/guard.ts';
import { maxVariableBytes } from '../../request/bodyLimits.ts';
import { sendInOrder } from '../../lists/items.ts';
import { pageQuery, pages } from '../../openapi/paging.ts';
import { uncached } from '../../openapi/schema.ts';
import { refuse } from '../../orThrow.ts';
import { type AnswerContext, sendJson } from '../../response.ts';
import { type Resource, route, type RouteContext } from '../../route.ts';
import { commanded } from './command.ts';
import { group, noService, path, refusals } from './described.ts';
import { unfit } from './fits.ts';
import { keepSecret } from './secretValue.ts';
import { serviceIn } from './serviceIn.ts';
import {
  variable,
  variableKey,
  variableRemoved,
  type VariableRemoved,
  variableSet,
  variableWritten,
  type VariableWritten,
} from './shapes.ts';
import { isInjected, variablesOf } from '../../views/variables.ts';
import { appliesAtOnce, waitingKinds } from '../../../rules/draftDeploy/waits.ts';
import { unusableValue } from '../../../rules/variableValue.ts';
import { isVariableName, maxName } from '../../../rules/variables/name.ts';
import { merged } from '../../../runtime/step/mergePatch.ts';

const setting = (kind: string) =>
  ({
    group,
    summary: `Sets a ${kind} variable of a service; the next deploy hands it to the pods.`,
    path,
    body: { schema: variableSet, maxBytes: maxVariableBytes },
    answers: { 200: uncached(variableWritten, 'It is saved.') },
    refusals,
  }) as const;

const removing = (kind: string) =>
  ({
    group,
    summary: `Removes a ${kind} variable of a service; one that is not there is no error.`,
    path,
    body: { schema: variableKey },
    answers: { 200: uncached(variableRemoved, 'It is gone, from the next deploy on.') },
    refusals,
  }) as const;

interface VariableRequest {
  readonly access: Access;
  readonly key: string;
}

const own = ({ spec: { config = {}, secretData = {}, secretVariables = {} } }: CoreApp) => [
  config,
  secretData,
  secretVariables,
];

/** When the saved variables of a service reach its copies. */
const whenOf = (app: CoreApp) => ({
  pending: waitingKinds('service', app).length > 0,
  appliesAtOnce: appliesAtOnce('service', app),
});

/** A field that a variable of this name may be called, `__proto__` among others. */
const named = (key: string, value: unknown) => Object.fromEntries([[key, value]]);

/** Variables of a service: saved, and handed to its pods by the next deploy, or at once without the deploy gate. */
export const appVariableRoutes = {
  'GET /apps/{app}/variables': route(
    {
      group,
      summary: 'Lists the variables of a service, by name, with those that come from elsewhere.',
      path,
      query: Type.Object(pageQuery),
      ...pages(variable, 'The variables; no secret has a value.', { 404: noService }),
    },
    (context) => {
      const { caches } = context;
      return (ctx, access, { query }) => {
        const items = variablesOf(serviceIn(ctx, context, access), caches);
        sendInOrder(ctx, context, { access, query, items, idOf: ({ name }) => name });
      };
    },
  ),
  'POST /apps/{app}/config/set': route(
    setting('plain'),
    (context) =>
      async function setConfig(ctx, access, { body: { key, value } }) {
        const app = checked(ctx, context, { access, key });
        refuseIf(ctx, unusableValue(value));
        const spec = { config: named(key, value), secretData: named(key, null), secretVariables: named(key, null) };
        return sendWritten(ctx, context, access, { app, key, kind: 'config', spec });
      },
  ),
  'POST /apps/{app}/config/delete': route(
    removing('plain'),
    (context) =>
      async function deleteConfig(ctx, access, { body: { key } }) {
        const app = checked(ctx, context, { access, key });
        return sendRemoved(ctx, context, access, { app, key, spec: { config: named(key, null) } });
      },
  ),
  'POST /apps/{app}/secrets/set': route(
    setting('secret'),
    (context) =>
      async function setSecret(ctx, access, { body: { key, value } }) {
        const app = checked(ctx, context, { access, key });
        refuseIf(ctx, unusableValue(value));
        const version = await keepSecret(ctx, context, { app, key, value });
        const spec = { secretVariables: named(key, version), config: named(key, null), secretData: named(key, null) };
        return sendWritten(ctx, context, access, { app, key, kind: 'secret', spec });
      },
  ),
  'POST /apps/{app}/secrets/delete': route(
    removing('secret'),
    (context) =>
      async function deleteSecret(ctx, access, { body: { key } }) {
        const app = checked(ctx, context, { access, key });
        return sendRemoved(ctx, context, access, {
          app,
          key,
          spec: { secretVariables: named(key, null), secretData: named(key, null) },
        });
      },
  ),
} satisfies Resource;

type VariablePatch = Readonly<
  Partial<Record<'config' | 'secretData' | 'secretVariables', Readonly<Record<string, unknown>>>>
>;

/** What is written of the variable of a service. */
interface Writing {
  readonly app: CoreApp;
  readonly key: string;
  readonly spec: VariablePatch;
}

function checked(ctx: RouterContext, context: RouteContext, { access, key }: VariableRequest): CoreApp {
  const app = serviceIn(ctx, context, access);
  if (key.length > maxName) return refuse(ctx, 400, `key must be at most ${maxName} characters`);
  if (!isVariableName(key))
    return refuse(ctx, 400, 'key must be letters, digits and underscores, and not begin with a digit');
  const verb = ctx.path.endsWith('/delete') ? 'removed' : 'set';
  // One of its own that another hides, written by hand, can still be removed.
  const isRemovable = verb === 'removed' && own(app).some((variables) => Object.hasOwn(variables, key));
  return isInjected(app, key, context.caches) && !isRemovable
    ? refuse(ctx, 400, `${key} is injected and cannot be ${verb}`)
    : app;
}

const refuseIf = (ctx: RouterContext, message: string | null) => message !== null && refuse(ctx, 400, message);

interface Saving extends Pick<Writing, 'app' | 'spec'> {
  readonly refusalOf?: (next: CoreApp) => string | null;
}

/** Saves what a patch changes of the stored service; what it makes of it may be refused. */
async function saved(
  ctx: RouterContext,
  context: RouteContext,
  access: Access,
  { app, spec, refusalOf = () => null }: Saving,
) {
  let changes = false;
  let message: string | null = null;
  const after = await commanded(ctx, context, access, {
    name: app.metadata.name,
    machine: 'draftDeploy',
    asked: (stored) => {
      const patch = presentIn(stored, spec);
      changes = Object.keys(patch).length > 0;
      message = refusalOf(merged(stored, { spec: patch }));
      return changes && message === null ? { is: 'save', spec: { ...patch } } : null;
    },
  });
  refuseIf(ctx, message);
  return { after, changes };
}

async function sendWritten(
  ctx: AnswerContext<VariableWritten>,
  context: RouteContext,
  access: Access,
  { kind, ...writing }: Writing & { readonly kind: 'config' | 'secret' },
) {
  const { after } = await saved(ctx, context, access, kind === 'config' ? { ...writing, refusalOf: unfit } : writing);
  const { name } = after.metadata;
  sendJson(ctx, { name, key: writing.key, kind, ...whenOf(after) });
}

async function sendRemoved(
  ctx: AnswerContext<VariableRemoved>,
  context: RouteContext,
  access: Access,
  writing: Writing,
) {
  const { after, changes: removed } = await saved(ctx, context, access, writing);
  const { name } = after.metadata;
  sendJson(ctx, { name, key: writing.key, removed, ...whenOf(after) });
}

/** A patch without the removals of what is not there, which would leave empty maps. */
const presentIn = ({ spec }: CoreApp, patch: VariablePatch): VariablePatch =>
  Object.fromEntries(
    Object.entries(patch).filter(([field, entries]) =>
      Object.entries(entries).some(
        ([key, value]) => value !== null || Object.hasOwn(spec[field as keyof VariablePatch] ?? {}, key),
      ),
    ),
  );

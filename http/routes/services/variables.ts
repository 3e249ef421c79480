import type { RouterContext } from '@koa/router';
import type { CoreApp } from '../../../crds/coreApp.ts';
import { appliesAtOnce, waitingKinds } from '../../../rules/draftDeploy/waits.ts';
import { isVariableName, nameAtMost } from '../../../rules/variables/name.ts';
import { unusableValue } from '../../../rules/variableValue.ts';
import { merged } from '../../../runtime/step/mergePatch.ts';
import { refuse } from '../../orThrow.ts';
import type { VariableRemoved, VariableWritten } from '../apps/shapes.ts';
import type { Access } from '../../auth/guard.ts';
import { sendJson } from '../../response.ts';
import type { Routes } from '../../registeredRoutes.ts';
import type { ServerContext } from '../../context.ts';
import { isInjected } from '../../views/variables.ts';
import { commanded } from '../apps/command.ts';
import { unfit } from '../apps/fits.ts';
import { keepSecret } from '../apps/secretValue.ts';
import { serviceIn } from '../apps/serviceIn.ts';

interface Asking {
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
export function variableRoutes(routes: Routes, context: ServerContext): void {
  routes.on('POST /apps/{app}/config/set', async function setConfig(ctx, access, { body: { key, value } }) {
    const app = checked(ctx, { access, key });
    refuseIf(ctx, unusableValue(value));
    const spec = { config: named(key, value), secretData: named(key, null), secretVariables: named(key, null) };
    return sendWritten(ctx, access, { app, key, kind: 'config', spec });
  });

  routes.on('POST /apps/{app}/secrets/set', async function setSecret(ctx, access, { body: { key, value } }) {
    const app = checked(ctx, { access, key });
    refuseIf(ctx, unusableValue(value));
    const version = await keepSecret(ctx, context, { app, key, value });
    const spec = { secretVariables: named(key, version), config: named(key, null), secretData: named(key, null) };
    return sendWritten(ctx, access, { app, key, kind: 'secret', spec });
  });

  routes.on('POST /apps/{app}/config/delete', async function deleteConfig(ctx, access, { body: { key } }) {
    const app = checked(ctx, { access, key });
    return sendRemoved(ctx, access, { app, key, spec: { config: named(key, null) } });
  });

  routes.on('POST /apps/{app}/secrets/delete', async function deleteSecret(ctx, access, { body: { key } }) {
    const app = checked(ctx, { access, key });
    return sendRemoved(ctx, access, {
      app,
      key,
      spec: { secretVariables: named(key, null), secretData: named(key, null) },
    });
  });

  function checked(ctx: RouterContext, { access, key }: Asking): CoreApp {
    const app = serviceIn(ctx, context, access);
    if (key.length > nameAtMost) return refuse(ctx, 400, `key must be at most ${nameAtMost} characters`);
    if (!isVariableName(key))
      return refuse(ctx, 400, 'key must be letters, digits and underscores, and not begin with a digit');
    const verb = ctx.path.endsWith('/delete') ? 'removed' : 'set';
    // One of its own that another hides, written by hand, can still be removed.
    const isRemovable = verb === 'removed' && own(app).some((variables) => Object.hasOwn(variables, key));
    return isInjected(app, key, context.operator.caches) && !isRemovable
      ? refuse(ctx, 400, `${key} is injected and cannot be ${verb}`)
      : app;
  }

  const refuseIf = (ctx: RouterContext, says: string | null) => says !== null && refuse(ctx, 400, says);

  /** Saves what a patch changes of the stored service; what it makes of it may be refused. */
  async function saved(
    ctx: RouterContext,
    access: Access,
    { app, spec }: Pick<Writing, 'app' | 'spec'>,
    refusalOf: (next: CoreApp) => string | null = () => null,
  ) {
    let changes = false;
    let says: string | null = null;
    const after = await commanded(ctx, context, access, {
      name: app.metadata.name,
      machine: 'draftDeploy',
      asked: (stored) => {
        const patch = presentIn(stored, spec);
        changes = Object.keys(patch).length > 0;
        says = refusalOf(merged(stored, { spec: patch }));
        return changes && says === null ? { is: 'save', spec: { ...patch } } : null;
      },
    });
    refuseIf(ctx, says);
    return { after, changes };
  }

  async function sendWritten(
    ctx: RouterContext,
    access: Access,
    { kind, ...writing }: Writing & { readonly kind: 'config' | 'secret' },
  ) {
    const { after } = await saved(ctx, access, writing, kind === 'config' ? unfit : undefined);
    const { name } = after.metadata;
    sendJson(ctx, { name, key: writing.key, kind, ...whenOf(after) } satisfies VariableWritten);
  }

  async function sendRemoved(ctx: RouterContext, access: Access, writing: Writing) {
    const { after, changes: removed } = await saved(ctx, access, writing);
    const { name } = after.metadata;
    sendJson(ctx, { name, key: writing.key, removed, ...whenOf(after) } satisfies VariableRemoved);
  }
}

type VariablePatch = Readonly<
  Partial<Record<'config' | 'secretData' | 'secretVariables', Readonly<Record<string, unknown>>>>
>;

/** What is written of the variable of a service. */
interface Writing {
  readonly app: CoreApp;
  readonly key: string;
  readonly spec: VariablePatch;
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

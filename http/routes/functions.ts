import type { RouterContext } from '@koa/router';
import type { CoreApp } from '../../crds/coreApp.ts';
import { neverDue } from '../../crds/cron.ts';
import { appliesAtOnce, waitingKinds } from '../../rules/draftDeploy/waits.ts';
import { isCron, nextTime } from '../../rules/function/cron.ts';
import { triggerAtMost } from '../../rules/function/names.ts';
import { refuse } from '../orThrow.ts';
import type { Trigger, TriggerRemoved } from './functions/shapes.ts';
import type { Access } from '../auth/guard.ts';
import { sendJson } from '../response.ts';
import { sendSorted } from '../lists/items.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';
import { schedulesIn, triggersOf } from '../views/triggers.ts';
import { callFunction } from './functions/call.ts';
import { functionIn } from './functions/functionIn.ts';
import { commanded } from './apps/command.ts';

const nameShape = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
type Schedules = ReturnType<typeof schedulesIn>;

/** Functions: calling them, and their schedules, which apply when every setting does. */
export function functionRoutes(routes: Routes, context: ServerContext): void {
  const { operator, now } = context;
  const told = (app: CoreApp) => triggersOf(app, operator.caches, now());

  routes.on('POST /apps/{app}/call', callFunction(context));

  routes.on('GET /apps/{app}/triggers', (ctx, access, { query }) => {
    const items = told(functionIn(ctx, context, access).app);
    sendSorted(ctx, context, { access, query, items, placeOf: ({ name }) => [name] });
  });

  routes.on('POST /apps/{app}/triggers', async function addTrigger(ctx, access, { body: { name, cron } }) {
    const { app } = functionIn(ctx, context, access);
    const atMost = triggerAtMost(app.metadata.name);
    if (name.length > atMost || !nameShape.test(name))
      return refuse(
        ctx,
        400,
        `name must be lowercase letters, digits and hyphens, and be no more than ${atMost} characters`,
      );
    if (!isCron(cron)) return refuse(ctx, 400, 'cron must be a cron expression of five fields, such as 0 3 * * 1');
    if (nextTime(cron, now()) === null) return refuse(ctx, 400, `cron ${neverDue}`);
    let isTaken = false;
    const saved = await save(ctx, access, app, (before) => {
      isTaken = before.some((one) => one.name === name);
      return isTaken ? null : [...before, { name, cron: cron.trim() }];
    });
    if (isTaken) return refuse(ctx, 409, `trigger "${name}" already exists`);
    const added = told(saved).find((one) => one.name === name);
    return added
      ? sendJson(ctx, added satisfies Trigger, 201)
      : refuse(ctx, 409, `trigger "${name}" was removed again`);
  });

  routes.on('DELETE /apps/{app}/triggers/{trigger}', async function removeTrigger(ctx, access, { path: { trigger } }) {
    const { app } = functionIn(ctx, context, access);
    const { name } = app.metadata;
    let removed = false;
    const saved = await save(ctx, access, app, (before) => {
      removed = before.some((one) => one.name === trigger);
      return removed ? before.filter((one) => one.name !== trigger) : null;
    });
    if (!removed) return refuse(ctx, 404, `trigger "${trigger}" was not found`);
    const when = { pending: waitingKinds('service', saved).length > 0, appliesAtOnce: appliesAtOnce('service', saved) };
    return sendJson(ctx, { name, trigger, removed: true, ...when } satisfies TriggerRemoved);
  });

  /** The stored list is changed, because a patch replaces it whole; null changes nothing. */
  const save = (ctx: RouterContext, access: Access, app: CoreApp, change: (before: Schedules) => Schedules | null) =>
    commanded(ctx, context, access, {
      name: app.metadata.name,
      machine: 'draftDeploy',
      asked: (stored) => {
        const schedules = change(schedulesIn(stored));
        return schedules && { is: 'save', spec: { source: { function: { schedules } } } };
      },
    });
}

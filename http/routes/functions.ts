import type { RouterContext } from '@koa/router';
import { Type } from '@sinclair/typebox';
import type { CoreApp } from '../../crds/coreApp.ts';
import { neverDue } from '../../crds/cron.ts';
import type { Access } from '../auth/guard.ts';
import { sendSorted } from '../lists/items.ts';
import { objectName, pathText } from '../openapi/kit.ts';
import { pageQuery, pages } from '../openapi/paging.ts';
import { uncached } from '../openapi/schema.ts';
import { alreadyExists, refuse } from '../orThrow.ts';
import { sendJson } from '../response.ts';
import { type Resource, route, type RouteContext } from '../route.ts';
import { commanded } from './apps/command.ts';
import { callFunction } from './functions/call.ts';
import { functionIn } from './functions/functionIn.ts';
import { callRequest, functionAnswer, trigger, triggerRequest, triggerRemoved } from './functions/shapes.ts';
import { schedulesIn, triggersOf } from '../views/triggers.ts';
import { appliesAtOnce, waitingKinds } from '../../rules/draftDeploy/waits.ts';
import { isCron, nextTime } from '../../rules/function/cron.ts';
import { maxTrigger } from '../../rules/function/names.ts';

const path = { app: objectName };
const group = 'Services';
const refusals = { 404: 'There is no such service, or the token may not see it.', 409: 'It is no function.' } as const;

const nameShape = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
type Schedules = ReturnType<typeof schedulesIn>;

/** What is done with functions alone: calling them, and their schedules, which apply when every setting does. */
export const functionRoutes = {
  'POST /apps/{app}/call': route(
    {
      group,
      summary: 'Calls a function and returns its response, whatever its status.',
      path,
      body: { schema: callRequest, optional: true, maxBytes: 1024 * 1024 },
      answers: { 200: uncached(functionAnswer, 'What it answered.') },
      refusals: {
        ...refusals,
        409: 'It is no function, or is not running.',
        502: 'It cannot be reached.',
        504: 'It did not answer within 30 seconds.',
      },
    },
    callFunction,
  ),
  'GET /apps/{app}/triggers': route(
    {
      group,
      summary: 'Lists the schedules of a function, as they are saved.',
      path,
      query: Type.Object(pageQuery),
      ...pages(trigger, 'The schedules, by name.', refusals),
      refusals,
    },
    (context) =>
      (ctx, access, { query }) => {
        const items = triggerViews(context, functionIn(ctx, context, access).app);
        sendSorted(ctx, context, { access, query, items, placeOf: ({ name }) => [name] });
      },
  ),
  'POST /apps/{app}/triggers': route(
    {
      group,
      summary: 'Adds a schedule to a function; the next deploy takes it up.',
      path,
      body: { schema: triggerRequest },
      answers: { 201: uncached(trigger, 'It is saved.') },
      refusals: { ...refusals, 409: 'It is no function, or the name is taken.' },
    },
    (context) => {
      const { now } = context;
      return async function addTrigger(ctx, access, { body: { name, cron } }) {
        const { app } = functionIn(ctx, context, access);
        const maxLength = maxTrigger(app.metadata.name);
        if (name.length > maxLength || !nameShape.test(name))
          return refuse(
            ctx,
            400,
            `name must be lowercase letters, digits and hyphens, and be no more than ${maxLength} characters`,
          );
        if (!isCron(cron)) return refuse(ctx, 400, 'cron must be a cron expression of five fields, such as 0 3 * * 1');
        if (nextTime(cron, now()) === null) return refuse(ctx, 400, `cron ${neverDue}`);
        let isTaken = false;
        const saved = await save(ctx, context, { access, app }, (before) => {
          isTaken = before.some((one) => one.name === name);
          return isTaken ? null : [...before, { name, cron: cron.trim() }];
        });
        const taken = alreadyExists('trigger', name);
        if (isTaken) return refuse(ctx, taken.status, taken.text);
        const added = triggerViews(context, saved).find((one) => one.name === name);
        return added ? sendJson(ctx, added, 201) : refuse(ctx, 409, `trigger "${name}" was deleted concurrently`);
      };
    },
  ),
  'DELETE /apps/{app}/triggers/{trigger}': route(
    {
      group,
      summary: 'Takes a schedule from a function, from the next deploy on.',
      path: { ...path, trigger: pathText },
      answers: { 200: uncached(triggerRemoved, 'It is gone, from the next deploy on.') },
      refusals: { ...refusals, 404: 'There is no such service or schedule.' },
    },
    (context) =>
      async function removeTrigger(ctx, access, { path: { trigger } }) {
        const { app } = functionIn(ctx, context, access);
        const { name } = app.metadata;
        let removed = false;
        const saved = await save(ctx, context, { access, app }, (before) => {
          removed = before.some((one) => one.name === trigger);
          return removed ? before.filter((one) => one.name !== trigger) : null;
        });
        if (!removed) return refuse(ctx, 404, `trigger "${trigger}" was not found`);
        const when = {
          pending: waitingKinds('service', saved).length > 0,
          appliesAtOnce: appliesAtOnce('service', saved),
        };
        return sendJson(ctx, { name, trigger, removed: true, ...when });
      },
  ),
} satisfies Resource;

const triggerViews = ({ now, caches }: RouteContext, app: CoreApp) => triggersOf(app, caches, now());

/** The stored list is changed, because a patch replaces it whole; null changes nothing. */
const save = (
  ctx: RouterContext,
  context: RouteContext,
  { access, app }: { readonly access: Access; readonly app: CoreApp },
  change: (before: Schedules) => Schedules | null,
) =>
  commanded(ctx, context, access, {
    name: app.metadata.name,
    machine: 'draftDeploy',
    asked: (stored) => {
      const schedules = change(schedulesIn(stored));
      return schedules && { is: 'save', spec: { source: { function: { schedules } } } };
    },
  });

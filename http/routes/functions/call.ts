import type { RouterContext } from '@koa/router';
import { Effect, Result } from 'effect';
import type { CoreApp } from '../../../crds/coreApp.ts';
import { addressOf } from '../../../rules/function/address.ts';
import { tokenOf, deploymentOf } from '../../../runtime/controllers/app/read.ts';
import { runningApp } from '../../../rules/service/deployed.ts';
import { type FunctionCall, Functions } from '../../../runtime/services/functions.ts';
import { refuse } from '../../orThrow.ts';
import type { FunctionAnswer } from './shapes.ts';
import type { Access } from '../../auth/guard.ts';
import { type AnswerContext, sendJson } from '../../response.ts';
import type { Static } from '@sinclair/typebox';
import type { callRequest } from './shapes.ts';
import type { ServerContext } from '../../context.ts';
import { functionIn, noFunction } from './functionIn.ts';

type Fields = Static<typeof callRequest>;

const timeoutMs = 30_000;
/** What the connection itself says, and what proves that a schedule calls. */
const ofOurs = /^(?:host|connection|content-length|expect|keep-alive|te|trailer|transfer-encoding|upgrade|x-core-.*)$/;

/** Calls a function as it runs, with the token that it asks for where it answers events. */
export const callFunction =
  (context: ServerContext) =>
  async (ctx: AnswerContext<FunctionAnswer>, access: Access, { body }: { readonly body: Fields }): Promise<void> => {
    const { app } = functionIn(ctx, context, access);
    const { name } = app.metadata;
    const call = callOf(ctx, context, runningIn(ctx, context, app), body);
    const result = await context.run(Effect.flatMap(Functions, (functions) => functions.call(call)));
    if (Result.isSuccess(result)) return sendJson(ctx, result.success);
    const { late, message } = result.failure;
    return late
      ? refuse(ctx, 504, `service "${name}" did not answer within ${timeoutMs / 1000} s`)
      : refuse(ctx, 502, `service "${name}" cannot be reached: ${message}`);
  };

interface Replicated {
  readonly status?: { readonly readyReplicas?: number };
}

/** A call wakes a function that sleeps. */
const maySleep = ({ status }: CoreApp): boolean => status?.scaleToZero?.active === true;

/** The function as it runs: what is saved and not deployed answers nothing. */
function runningIn(ctx: RouterContext, { operator: { caches } }: ServerContext, app: CoreApp): CoreApp {
  const { name } = app.metadata;
  const running = runningApp(app);
  const deployment = running && (deploymentOf(running, running.spec, caches) as Replicated | undefined);
  if (!running || !(maySleep(running) || (deployment?.status?.readyReplicas ?? 0) > 0))
    return refuse(ctx, 409, `service "${name}" is not running`);
  return running.spec.source.function ? running : refuse(ctx, 409, noFunction(name));
}

function callOf(ctx: RouterContext, context: ServerContext, app: CoreApp, fields: Fields): FunctionCall {
  const { method = 'POST', path = '/', body } = fields;
  if (!/^\/[\x21-\x7e]*$/.test(path) || path.includes('#')) return refuse(ctx, 400, 'path must be a path, such as /');
  return {
    url: `${addressOf(app.metadata.name, app.spec, maySleep(app))}${path}`,
    method,
    headers: { ...headersIn(ctx, fields), ...proofOf(context, app) },
    body: body ?? null,
    timeoutMs,
  };
}

function headersIn(ctx: RouterContext, { headers = {}, body }: Fields): Readonly<Record<string, string>> {
  const given = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  for (const [name, value] of given) {
    if (!/^[-!#$%&'*+.^_`|~0-9a-z]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      return refuse(ctx, 400, `header ${JSON.stringify(name.slice(0, 80))} is malformed`);
    if (ofOurs.test(name)) return refuse(ctx, 400, `header "${name}" cannot be set`);
  }
  return { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...Object.fromEntries(given) };
}

/** Events are taken from those who know the token; an admin is one of them. */
function proofOf({ operator: { caches } }: ServerContext, app: CoreApp): Readonly<Record<string, string>> {
  if (app.spec.source.function?.mode !== 'event') return {};
  return { 'x-core-trigger-token': tokenOf(app, app.spec, caches) ?? '' };
}

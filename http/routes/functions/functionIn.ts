import type { RouterContext } from '@koa/router';
import type { CoreApp } from '../../../crds/coreApp.ts';
import type { FunctionSource } from '../../../rules/function/runtimes.ts';
import { refuse } from '../../orThrow.ts';
import type { Access } from '../../auth/guard.ts';
import type { ServerContext } from '../../context.ts';
import { serviceIn } from '../apps/serviceIn.ts';

interface FunctionService {
  readonly app: CoreApp;
  readonly source: FunctionSource;
}

export const noFunction = (name: string): string => `service "${name}" is no function`;

/** The function of a path; another service is refused. */
export function functionIn(ctx: RouterContext, context: ServerContext, access: Access): FunctionService {
  const app = serviceIn(ctx, context, access);
  const { function: source } = app.spec.source;
  return source ? { app, source } : refuse(ctx, 409, noFunction(app.metadata.name));
}

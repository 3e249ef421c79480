import type { RouterContext } from '@koa/router';
import type { Access } from '../auth/guard.ts';
import type { Serving } from '../serving.ts';
import { dependentsOf, placeOfDependent } from '../views/dependents.ts';
import { sendSorted } from './items.ts';
import type { Asking } from './send.ts';

type Of = Parameters<typeof dependentsOf>[1];

/** Responds with what uses an object. */
export const dependentsSender =
  (serving: Serving) =>
  (ctx: RouterContext, access: Access, query: Asking['query'], of: Of): void => {
    const items = dependentsOf(serving.operator.caches, of, access.view);
    sendSorted(ctx, serving, { access, query, items, placeOf: placeOfDependent });
  };

import type { Access } from '../auth/guard.ts';
import type { ServerContext } from '../context.ts';
import { dependentsOf, placeOfDependent } from '../views/dependents.ts';
import type { Items } from '../openapi/paging.ts';
import type { AnswerContext } from '../response.ts';
import type { Dependent } from '../routes/resource.ts';
import { sendSorted } from './items.ts';
import type { ListRequest } from './send.ts';

type Of = Parameters<typeof dependentsOf>[1];

/** Responds with what uses an object. */
export const dependentsSender =
  (context: ServerContext) =>
  (ctx: AnswerContext<Items<Dependent>>, access: Access, query: ListRequest['query'], of: Of): void => {
    const items = dependentsOf(context.operator.caches, of, access.view);
    sendSorted(ctx, context, { access, query, items, placeOf: placeOfDependent });
  };

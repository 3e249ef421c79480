import type { RouterContext } from '@koa/router';
import type { ServerContext } from '../context.ts';
import { refuse } from '../orThrow.ts';
import type { Place } from './continue.ts';
import { sortedFrom } from './page.ts';
import { type Asking, sendList, tooOld } from './send.ts';
import { sortedBy } from './sorted.ts';

interface Items<T> extends Asking {
  readonly items: readonly T[];
}

const isIn = () => true;
const text = (item: unknown): string => JSON.stringify(item);

/** Responds with items that are made for the request, in the order of their places. */
export function sendSorted<T>(
  ctx: RouterContext,
  context: Pick<ServerContext, 'continues'>,
  { items, placeOf, ...asking }: Items<T> & { readonly placeOf: (item: T) => Place },
): void {
  const sorted = sortedBy(items, placeOf);
  sendList(ctx, context, { ...asking, from: (after) => sortedFrom(sorted, placeOf, after), placeOf, isIn, text });
}

/**
 * The same in an order that somebody else keeps: where the last item of the page before is gone, nobody knows what came
 * after it.
 */
export function sendInOrder<T>(
  ctx: RouterContext,
  context: Pick<ServerContext, 'continues'>,
  { items, idOf, ...asking }: Items<T> & { readonly idOf: (item: T) => string },
): void {
  const from = (after: Place | null): readonly T[] => {
    if (after === null) return items;
    const at = items.findIndex((item) => idOf(item) === after[0]);
    return at < 0 ? refuse(ctx, 410, tooOld) : items.slice(at + 1);
  };
  sendList(ctx, context, { ...asking, from, placeOf: (item) => [idOf(item)], isIn, text });
}

import type { ServerContext } from '../context.ts';
import { refuse } from '../orThrow.ts';
import { jsonText } from '../response/jsonText.ts';
import type { Items } from '../openapi/paging.ts';
import type { AnswerContext } from '../response.ts';
import type { Place } from './continue.ts';
import { sortedFrom } from './page.ts';
import { type ListRequest, sendList, tooOld } from './send.ts';
import { sortedBy } from './sorted.ts';

interface Sent<T> extends ListRequest {
  readonly items: readonly T[];
}

const isIn = () => true;

/** Responds with items that are made for the request, in the order of their places. */
export function sendSorted<T>(
  ctx: AnswerContext<Items<T>>,
  context: Pick<ServerContext, 'continues'>,
  { items, placeOf, ...asking }: Sent<NoInfer<T>> & { readonly placeOf: (item: NoInfer<T>) => Place },
): void {
  const sorted = sortedBy(items, placeOf);
  sendList(ctx, context, {
    ...asking,
    from: (after) => sortedFrom(sorted, placeOf, after),
    placeOf,
    isIn,
    text: jsonText,
  });
}

/**
 * The same in an order that somebody else keeps: where the last item of the page before is gone, nobody knows what came
 * after it.
 */
export function sendInOrder<T>(
  ctx: AnswerContext<Items<T>>,
  context: Pick<ServerContext, 'continues'>,
  { items, idOf, ...asking }: Sent<NoInfer<T>> & { readonly idOf: (item: NoInfer<T>) => string },
): void {
  const from = (after: Place | null): readonly T[] => {
    if (after === null) return items;
    const at = items.findIndex((item) => idOf(item) === after[0]);
    return at < 0 ? refuse(ctx, 410, tooOld) : items.slice(at + 1);
  };
  sendList(ctx, context, { ...asking, from, placeOf: (item) => [idOf(item)], isIn, text: jsonText });
}

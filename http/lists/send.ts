import type { RouterContext } from '@koa/router';
import { callerKey } from '../../rules/access/caller.ts';
import { refuse } from '../orThrow.ts';
import type { Access } from '../auth/guard.ts';
import { jsonList, jsonObject, type JsonText, jsonText } from '../response/jsonText.ts';
import type { Items } from '../openapi/paging.ts';
import { type AnswerContext, sendReadText } from '../response.ts';
import type { ServerContext } from '../context.ts';
import type { ListOf, Place } from './continue.ts';
import { type List, type PageRequest, pageOf } from './page.ts';

/** Who asks for how much of a list; all else in the query selects its rows. */
export interface ListRequest {
  readonly access: Pick<Access, 'caller'>;
  readonly query: { readonly limit?: number; readonly continue?: string; readonly remaining?: boolean };
}

/** The page that a request asks for, and how its end is written. */
interface Pager extends PageRequest {
  /** The field `continue` of an answer; without it at the end of the list. */
  readonly next: (end: Place | null) => { readonly continue?: string };
}

export const tooOld = 'continue is too old: begin again';

type Sealing = Pick<ServerContext, 'continues'>;

/** The requested page of the list at the path of a request. */
export function pagerOf(ctx: RouterContext, { continues }: Sealing, { access: { caller }, query }: ListRequest): Pager {
  const { limit = Number.POSITIVE_INFINITY, continue: from, remaining: counts = false, ...selecting } = query;
  const of: ListOf = {
    list: JSON.stringify([ctx.path.replace(/^\/api(\/v1)?/, ''), selecting]),
    caller: caller === null ? '' : callerKey(caller),
  };
  return {
    limit,
    counts,
    after: from === undefined ? null : placeIn(ctx, { continues }, of, from),
    next: (end) => (end === null ? {} : { continue: continues.seal(of, end) }),
  };
}

function placeIn(ctx: RouterContext, { continues }: Sealing, of: ListOf, text: string): Place {
  const opened = continues.open(of, text);
  if (opened.is === 'place') return opened.place;
  if (opened.is === 'too old') return refuse(ctx, 410, tooOld);
  return refuse(ctx, 400, 'continue is of another list');
}

/** A list with the JSON of its rows, and the request for it. */
export interface Listing<T, R> extends List<T>, ListRequest {
  readonly text: (item: T) => JsonText<R>;
}

/** Responds with a page of a list, or with all of it where the request has no limit. */
export function sendList<T, R>(
  ctx: AnswerContext<Items<R>>,
  context: Sealing,
  { text, ...listing }: Listing<T, NoInfer<R>>,
): void {
  const pager = pagerOf(ctx, context, listing);
  const { items, end, remaining } = pageOf(listing, pager);
  const { continue: next } = pager.next(end);
  const answer: JsonText<Items<R>> = jsonObject<Items<R>>({
    items: jsonList(items.map(text)),
    continue: next === undefined ? undefined : jsonText(next),
    remaining: pager.counts === true ? jsonText(remaining) : undefined,
  });
  sendReadText(ctx, answer);
}

import type { RouterContext } from '@koa/router';
import { callerKey } from '../../rules/access/caller.ts';
import { states } from '../../rules/state.ts';
import { refuse } from '../answer.ts';
import type { Access } from '../auth/guard.ts';
import { sendReadText } from '../json.ts';
import type { Serving } from '../serving.ts';
import type { ListOf, Place } from './continue.ts';
import { type List, pageOf } from './page.ts';

/** The query of a list. */
export interface ListQuery {
  readonly limit?: number;
  readonly continue?: string;
  readonly search?: string;
}

/** A list, and what of it is asked for by whom. */
interface Listing<T> extends List<T> {
  readonly access: Pick<Access, 'caller'>;
  readonly query: ListQuery;
  readonly states?: ReadonlySet<string> | null;
}

type Sealing = Pick<Serving, 'continues'>;

/** Responds with a page of a list, or with all of it where no limit is asked for. */
export function sendList<T>(
  ctx: RouterContext,
  serving: Sealing,
  { access: { caller }, query, states: wanted = null, ...list }: Listing<T>,
): void {
  const { limit, continue: from, search = '', ...selecting } = query;
  const of: ListOf = {
    list: JSON.stringify([ctx.path.replace(/^\/api(\/v1)?/, ''), search, selecting]),
    caller: caller === null ? '' : callerKey(caller),
  };
  const { rows, end } = pageOf(list, {
    after: from === undefined ? null : placeIn(ctx, serving, of, from),
    limit: limit ?? Number.POSITIVE_INFINITY,
    search: search.toLowerCase(),
    states: wanted,
  });
  const next = end === null ? '' : `,"continue":${JSON.stringify(serving.continues.seal(of, end))}`;
  sendReadText(ctx, `{"items":[${rows.map(({ text }) => text).join(',')}]${next}}`);
}

function placeIn(ctx: RouterContext, { continues }: Sealing, of: ListOf, text: string): Place {
  const opened = continues.open(of, text);
  if (opened.is === 'place') return opened.place;
  if (opened.is === 'too old') return refuse(ctx, 410, 'continue is too old: begin again');
  return refuse(ctx, 400, 'continue is of another list');
}

/** The states of a query about resources; null for all. An unknown one is refused. */
export function reportedStates(ctx: RouterContext, words: string | undefined): ReadonlySet<string> | null {
  if (words === undefined) return null;
  const asked = words.toLowerCase().split(',');
  const unknown = asked.find((word) => !states.some((state) => state === word));
  if (unknown !== undefined) return refuse(ctx, 400, `"${unknown.slice(0, 80)}" is no state: ${states.join(', ')}`);
  return new Set(asked);
}

import type { RouterContext } from '@koa/router';
import type { TObject } from '@sinclair/typebox';
import { refuse } from '../orThrow.ts';
import { bodyIn } from './body.ts';
import { maxBodyBytes } from './bodyLimits.ts';
import { check, type Checked, undeclaredField, valuesOf } from '../openapi/check.ts';
import type { BodySchema, RequestOf, RouteSchema } from '../openapi/schema.ts';
import { rawBody } from './rawBody.ts';

type Fields = Readonly<Record<string, unknown>>;
const nothing: Fields = {};

/**
 * Parses a request and checks it against the route's schema; a request that does not match ends with 400. A route that
 * takes no body waits for the end of one all the same: what is refused for its body must not have been done.
 */
export function requestReader<S extends RouteSchema>({
  path,
  query,
  body,
}: S): (ctx: RouterContext) => RequestOf<S> | Promise<RequestOf<S>> {
  const checkPath = pathCheck(path);
  // The checked value has the type of the schema, which the compiler cannot infer.
  const request = (ctx: RouterContext, inQuery: Fields, inBody: Fields) =>
    ({ path: ctx.params, query: inQuery, body: inBody }) as unknown as RequestOf<S>;
  return (ctx) => {
    checkPath(ctx);
    const inQuery = query ? queryIn(ctx, query) : nothing;
    if (body) return fieldsIn(ctx, body).then((inBody) => request(ctx, inQuery, inBody));
    if (ctx.method === 'GET' || !hasBody(ctx)) return request(ctx, inQuery, nothing);
    return rawBody(ctx, maxBodyBytes).then(() => request(ctx, inQuery, nothing));
  };
}

const hasBody = ({ req: { headers } }: RouterContext): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function pathCheck(path: RouteSchema['path']): (ctx: RouterContext) => void {
  const names = Object.entries(path).map(([name, { pattern, maxLength = 253 }]) => ({
    name,
    maxLength,
    pattern: pattern === undefined ? null : new RegExp(pattern),
  }));
  return (ctx) => {
    for (const { name, pattern, maxLength } of names) {
      const text = ctx.params[name] ?? '';
      const holds = text.length <= maxLength && (pattern === null || pattern.test(text));
      if (!holds) refuse(ctx, 400, `"${text.slice(0, 80)}" is not a name`);
    }
  };
}

const right = (ctx: RouterContext, checked: Checked): Fields =>
  checked.is === 'right' ? checked.fields : refuse(ctx, 400, checked.message);

/** Unknown query parameters are ignored: browsers and link-sharing sites add their own. */
const queryIn = (ctx: RouterContext, schema: TObject): Fields =>
  right(ctx, check(schema, right(ctx, valuesOf(schema, new URLSearchParams(ctx.querystring)))));

async function fieldsIn(ctx: RouterContext, route: BodySchema): Promise<Fields> {
  const { schema, optional = false, whole, ignoresOthers = false, maxBytes: atMost } = route;
  const body = await bodyIn(ctx, optional, atMost);
  const undeclared = ignoresOthers
    ? null
    : undeclaredField(schema, body.is === 'values' ? body.fields : Object.fromEntries(body.words));
  if (undeclared !== null) return refuse(ctx, 400, undeclared);
  const fields = body.is === 'values' ? body.fields : right(ctx, valuesOf(schema, body.words));
  const checked = check(schema, fields);
  return checked.is === 'wrong' && whole !== undefined ? refuse(ctx, 400, whole) : right(ctx, checked);
}

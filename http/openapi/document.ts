import type { TObject, TSchema } from '@sinclair/typebox';
import { callerClasses } from '../../rules/access/caller.ts';
import { type NeedName, needs } from '../../rules/access/needs.ts';
import { needOf, type RouteId, routes } from '../../rules/access/routes.ts';
import { cookieName } from '../auth/cookie.ts';
import { version } from '../version.ts';
import { responsesOf } from './answers.ts';
import { type Components, makeComponents, type Written } from './components.ts';
import type { BodySchema, RouteSchema } from './schema.ts';

const description = [
  'Every route is also served under `/api` without the version, and every GET route also answers HEAD.',
  'Times have the format of RFC 3339. Every error response is `{"error": "<text>"}`.',
  'Unknown query parameters are ignored, because browsers and link trackers add their own; a repeated parameter is',
  'refused. A body with an unknown field is refused, and the error names the field.',
  'A write with the session cookie must come from a page of the dashboard.',
].join(' ');

/** The routes that are described, and what each of their groups is about. */
export interface Described {
  readonly schemas: Readonly<Record<RouteId, RouteSchema>>;
  readonly groups: Readonly<Record<string, string>>;
}

/** The OpenAPI 3.1 description of this API, from the authorization table and the schemas that validate requests. */
export function makeDocument({ schemas, groups }: Described): Written {
  const components = makeComponents();
  const paths: Record<string, Record<string, Written>> = {};
  for (const route of Object.keys(routes) as RouteId[]) {
    const [method = '', path = ''] = route.split(' ');
    (paths[path] ??= {})[method.toLowerCase()] = operationOf(components, route, schemas[route]);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Core', version, description, license: { name: 'Apache 2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/api/v1' }],
    tags: Object.entries(groups).map(([name, about]) => ({ name, description: about })),
    paths,
    components: {
      schemas: components.all(),
      securitySchemes: {
        cookie: { type: 'apiKey', in: 'cookie', name: cookieName, description: 'Set by POST /login.' },
        bearer: { type: 'http', scheme: 'bearer', description: 'An API token.' },
      },
    },
  };
}

/** `GET /builds/{build}/log` as `getBuildsBuildLog`. */
const idOf = (route: RouteId): string => {
  const [first = '', ...rest] = route.split(/[^A-Za-z]+/).filter((word) => word !== '');
  return first.toLowerCase() + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
};

const securityOf = (route: RouteId): readonly Written[] => {
  if (routes[route] === 'nothing') return [];
  return routes[route] === 'adminSession' ? [{ cookie: [] }] : [{ cookie: [] }, { bearer: [] }];
};

/** What each class of caller gets: the copy that it reads, or the status of its refusal. */
const callersOf = (need: NeedName): Written =>
  Object.fromEntries(
    callerClasses.map((caller) => {
      const grant = needs[need][caller];
      if (grant.is === 'refused') return [caller, String(grant.status)];
      return [caller, grant.own ? 'own environment' : grant.view];
    }),
  );

/** The same for an access machine on a route of machines, which fewer callers may read. */
function ofAccess(route: RouteId): Written {
  const need = needOf(route, 'token');
  return need === needOf(route) ? {} : { 'x-need-of-access': need, 'x-callers-of-access': callersOf(need) };
}

function operationOf(components: Components, route: RouteId, schema: RouteSchema): Written {
  return {
    operationId: idOf(route),
    summary: schema.summary,
    tags: [schema.group],
    ...(schema.deprecated && { deprecated: true }),
    security: securityOf(route),
    'x-need': needOf(route),
    'x-callers': callersOf(needOf(route)),
    ...ofAccess(route),
    parameters: [...pathOf(components, schema.path), ...queryOf(components, schema.query)],
    ...(schema.body && { requestBody: bodyOf(components, schema.body) }),
    responses: responsesOf(components, route, schema),
  };
}

const pathOf = (components: Components, path: Readonly<Record<string, TSchema>>): readonly Written[] =>
  Object.entries(path).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    schema: components.write(schema),
  }));

function queryOf(components: Components, query: TObject | undefined): readonly Written[] {
  if (!query) return [];
  return Object.entries(query.properties).map(([name, { description: meaning, ...schema }]) => ({
    name,
    in: 'query',
    required: query.required?.includes(name) ?? false,
    ...(meaning !== undefined && { description: meaning }),
    schema: components.write(schema),
  }));
}

function bodyOf(components: Components, route: BodySchema): Written {
  const { schema, optional = false, ignoresOthers = false } = route;
  const written = { schema: components.write({ ...schema, additionalProperties: ignoresOthers }) };
  return {
    required: !optional,
    content: { 'application/json': written, 'application/x-www-form-urlencoded': written },
  };
}

import { mayBeOfTheLeader, ofTheLeader, type RouteId, routes } from '../../rules/access/routes.ts';
import { maxBodyBytes } from '../request/bodyLimits.ts';
import { type Components, inline, type Written } from './components.ts';
import { type Content, errorBody, type RouteSchema, type SuccessResponse } from './schema.ts';

const etag = {
  ETag: {
    description: 'Identifies this response; with it in If-None-Match, an unchanged response is a 304.',
    schema: { type: 'string' },
  },
};

/** The refusals that are common to routes of its kind, by status. */
function usualRefusals(route: RouteId, { body, answers }: RouteSchema): Readonly<Record<number, string>> {
  const isOpen = routes[route] === 'nothing';
  return {
    400: 'The request is not valid; the text names the field.',
    ...(!isOpen && { 401: 'The caller is not signed in, or the token is not valid.' }),
    ...((!isOpen || !route.startsWith('GET')) && {
      403: 'The caller lacks the permission, or the browser did not state that the request comes from the dashboard.',
    }),
    ...(mayBeOfTheLeader(route) &&
      ofTheLeader[route] !== 'or answered here' && {
        503: 'This replica is a standby, and the leader does not respond.',
      }),
    ...(Object.values(answers).some(isStream) && { 429: 'The caller has too many open streams.' }),
    ...(body && {
      413: `The body is larger than ${(body.maxBytes ?? maxBodyBytes) / 1024} KiB.`,
      415: 'The body is neither JSON nor a form.',
    }),
  };
}

const isStream = ({ content }: SuccessResponse): boolean => content.some(({ is }) => is === 'events');

/** Every status that a route may refuse with, and when; any other status is a failure of the platform itself. */
export const refusalsOf = (route: RouteId, schema: RouteSchema): Readonly<Record<number, string>> => ({
  ...usualRefusals(route, schema),
  ...schema.refusals,
});

export const hasEtag = ({ content }: SuccessResponse): boolean => content.some((one) => one.is === 'json' && one.kept);

function contentOf(components: Components, content: Content): readonly [string, Written] {
  switch (content.is) {
    case 'json':
      return ['application/json', { schema: components.write(content.schema) }];
    case 'text':
      return ['text/plain', { schema: { type: 'string' } }];
    case 'bytes':
      return ['application/octet-stream', { schema: { type: 'string', format: 'binary' } }];
    case 'events': {
      // Tools do not resolve references inside an extension.
      const events = Object.entries(content.events).map(([name, schema]) => [name, inline(schema)]);
      return ['text/event-stream', { schema: { type: 'string' }, 'x-events': Object.fromEntries(events) }];
    }
  }
}

/** The responses of a route, by status, in the form of the description. */
export function responsesOf(components: Components, route: RouteId, schema: RouteSchema): Written {
  const error = { content: { 'application/json': { schema: components.write(errorBody) } } };
  const given = Object.entries(schema.answers).map(([status, one]) => [
    status,
    {
      description: one.when,
      ...(hasEtag(one) && { headers: etag }),
      content: Object.fromEntries(one.content.map((content) => contentOf(components, content))),
    },
  ]);
  const refused = Object.entries(refusalsOf(route, schema)).map(([status, description]) => [
    status,
    { description, ...error },
  ]);
  const kept = Object.values(schema.answers).some(hasEtag);
  return {
    ...Object.fromEntries(given),
    ...(kept && { 304: { description: 'Not modified since the response that the caller has.' } }),
    ...Object.fromEntries(refused),
    default: { description: 'An internal error, or one of a system that the request depends on.', ...error },
  };
}

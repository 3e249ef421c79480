import { mayBeOfTheLeader, ofTheLeader, type RouteId, routes } from '../../rules/access/routes.ts';
import { usualAtMost } from '../bodySize.ts';
import type { Components, Written } from './components.ts';
import type { Content, Given, RouteSchema } from './schema.ts';
import { errorBody } from './shapes/access.ts';

const etag = {
  ETag: {
    description: 'Names this very answer; sent back as If-None-Match it makes a 304.',
    schema: { type: 'string' },
  },
};

/** The refusals that are common to routes of its kind, by status. */
function usualRefusals(route: RouteId, { body }: RouteSchema): Readonly<Record<number, string>> {
  const isOpen = routes[route] === 'nothing';
  return {
    400: 'What is asked is not valid; the text names the field.',
    ...(!isOpen && { 401: 'Nobody is signed in, or the token is not valid.' }),
    ...((!isOpen || !route.startsWith('GET')) && {
      403: 'The caller may not, or a browser did not say that the request is from our own pages.',
    }),
    ...(mayBeOfTheLeader(route) &&
      ofTheLeader[route] !== 'or answered here' && {
        503: 'This replica is a standby, and the leader does not answer.',
      }),
    ...(body && {
      413: `The body is larger than ${(body.atMost ?? usualAtMost) / 1024} kB.`,
      415: 'The body is neither JSON nor a form.',
    }),
  };
}

/** Every status that a route may refuse with, and when; any other status is a failure of the platform itself. */
export const refusalsOf = (route: RouteId, schema: RouteSchema): Readonly<Record<number, string>> => ({
  ...usualRefusals(route, schema),
  ...schema.refusals,
});

export const isKept = ({ content }: Given): boolean => content.some((one) => one.is === 'json' && one.kept);

function contentOf(components: Components, content: Content): readonly [string, Written] {
  switch (content.is) {
    case 'json':
      return ['application/json', { schema: components.write(content.schema) }];
    case 'text':
      return ['text/plain', { schema: { type: 'string' } }];
    case 'events': {
      const events = Object.entries(content.events).map(([name, schema]) => [name, components.write(schema)]);
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
      ...(isKept(one) && { headers: etag }),
      content: Object.fromEntries(one.content.map((content) => contentOf(components, content))),
    },
  ]);
  const refused = Object.entries(refusalsOf(route, schema)).map(([status, description]) => [
    status,
    { description, ...error },
  ]);
  const kept = Object.values(schema.answers).some(isKept);
  return {
    ...Object.fromEntries(given),
    ...(kept && { 304: { description: 'The caller has this answer already.' } }),
    ...Object.fromEntries(refused),
    default: { description: 'Something failed here, or in what is asked for it.', ...error },
  };
}

import { type Caller, classOf } from './caller.ts';
import { type Grant, type NeedName, needs } from './needs.ts';

/**
 * Every route of the API, under /api and /api/v1 alike, and what it requires. A route that is not listed here is not
 * served.
 */
export const routes = {
  'POST /login': 'nothing',
  'POST /logout': 'nothing',
  'GET /session': 'nothing',
  'POST /auth/device': 'nothing',
  'POST /auth/token': 'nothing',

  'GET /me': 'signedIn',
  'GET /version': 'signedIn',
  'GET /openapi.json': 'signedIn',

  'GET /apps': 'signedIn',
  'GET /apps/{app}': 'signedIn',
  'POST /apps/{app}/build': 'act',
  'POST /apps/{app}/build/cancel': 'act',

  'GET /bootstrap': 'workspace',
  'GET /platform': 'workspace',
  'GET /builds': 'workspace',
  'GET /builds/{build}': 'workspace',
  'GET /builds/{build}/transitions': 'workspace',
  'GET /builds/{build}/explain': 'workspace',
  'GET /builds/{build}/log': 'logs',
  'POST /builds/{build}/look': 'admin',
  'GET /databases': 'workspace',
  'GET /databases/{database}': 'workspace',
  'POST /databases': 'admin',
  'DELETE /databases/{database}': 'admin',
  'GET /databases/{database}/explain': 'workspace',
  'GET /databases/{database}/transitions': 'workspace',
  'POST /databases/{database}/look': 'admin',
  'POST /databases/{database}/deploy': 'admin',
  'POST /databases/{database}/retry': 'admin',
  'GET /machines': 'workspace',
  'GET /machines/{machine}': 'workspace',
  'GET /machines/{machine}/instances': 'workspace',
  'GET /machines/{machine}/instances/{instance}': 'workspace',
  'GET /machines/{machine}/instances/{instance}/explain': 'workspace',
  'GET /machines/{machine}/instances/{instance}/transitions': 'workspace',
  'POST /machines/{machine}/instances/{instance}/look': 'admin',
  'GET /machines/{machine}/transitions': 'workspace',
  'GET /events': 'workspace',

  'GET /auth/device/{code}': 'adminSession',
  'POST /auth/device/approve': 'adminSession',
  'POST /auth/device/deny': 'adminSession',
  'GET /users': 'adminSession',
  'GET /tokens': 'adminSession',
  'POST /tokens': 'adminSession',
  'DELETE /tokens/{token}': 'adminSession',
} as const satisfies Readonly<Record<string, NeedName>>;

export type RouteId = keyof typeof routes;

/**
 * Routes that need the in-memory state of the leader: device requests, and sign-in counts by address. Other replicas
 * forward these requests; when the leader is unreachable, they are refused, or answered with what the replica has
 * itself.
 */
export const ofTheLeader: Readonly<Partial<Record<RouteId, 'or refused' | 'or answered here'>>> = {
  'POST /login': 'or answered here',
  'POST /auth/device': 'or refused',
  'POST /auth/token': 'or refused',
  'GET /auth/device/{code}': 'or refused',
  'POST /auth/device/approve': 'or refused',
  'POST /auth/device/deny': 'or refused',
};

/** What a route grants a caller; null for a request without credentials. */
export const grantOf = (route: RouteId, caller: Caller | null): Grant => needs[routes[route]][classOf(caller)];

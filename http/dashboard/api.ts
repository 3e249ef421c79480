import type { Done, Read } from '../api.ts';
import {
  answerIn,
  type PathOf,
  pathTo,
  type ReadRoute,
  type ResourceName,
  resourcePath,
  type RouteAnswers,
  type TypedPath,
  withQuery,
  type WriteRoute,
} from './model/routeAnswers.ts';

export { explainPath, pathTo, resourcePath, withQuery } from './model/routeAnswers.ts';

/** A response of the API: a value, a refusal in its own words, or a failure to reach it. */
export type ApiResult<T> =
  | { readonly is: 'ok'; readonly value: T }
  | { readonly is: 'refused'; readonly status: number; readonly error: string }
  | { readonly is: 'unreachable'; readonly error: string };

type Listener = () => void;
const signedOutListeners = new Set<Listener>();

/** Calls back whenever the API responds that nobody is signed in. */
export const onSignedOut = (listener: Listener) => signedOutListeners.add(listener);

/** Whether a later try of the same request may succeed. */
export const isRetryable = (answer: ApiResult<unknown>): boolean =>
  answer.is === 'unreachable' || (answer.is === 'refused' && answer.status >= 500);

const unreachable = { is: 'unreachable', error: "Can't reach the server" } as const;

/** A slow server is waited for; one that is silent for longer than this is not there. */
const timeoutMs = 30_000;

async function ask(path: string, init: RequestInit): Promise<Response | null> {
  const silent = AbortSignal.timeout(timeoutMs);
  const signal = init.signal ? AbortSignal.any([init.signal, silent]) : silent;
  try {
    return await fetch(path, { cache: 'no-cache', credentials: 'same-origin', ...init, signal });
  } catch {
    return null;
  }
}

/** The error text of an unsuccessful response. */
export async function refusalOf(response: Response): Promise<Extract<ApiResult<never>, { readonly is: 'refused' }>> {
  if (response.status === 401) signedOutListeners.forEach((listener) => listener());
  const text = await response.text().catch(() => '');
  return { is: 'refused', status: response.status, error: errorIn(text) ?? `The server answered ${response.status}` };
}

function errorIn(text: string): string | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : null;
  } catch {
    return text.trim() === '' || text.trimStart().startsWith('<') ? null : text.trim();
  }
}

async function answerOf<T>(path: TypedPath<T>, init: RequestInit): Promise<ApiResult<T>> {
  const response = await ask(path, init);
  if (!response) return unreachable;
  if (!response.ok) return refusalOf(response);
  try {
    return { is: 'ok', value: await answerIn(path, response) };
  } catch {
    return { is: 'unreachable', error: 'The answer broke off' };
  }
}

/** Reads a path. */
export const readPath = <T>(path: TypedPath<T>, signal?: AbortSignal): Promise<ApiResult<T>> =>
  answerOf(path, signal ? { signal } : {});

/** Reads a route: `read('GET /apps/{app}', { app })`. */
export const read = <Route extends ReadRoute>(
  route: Route,
  names: PathOf<Route>,
): Promise<ApiResult<RouteAnswers[Route]>> => readPath(pathTo(route, names));

/** Reads text, such as a log. */
export async function readText(path: string, signal: AbortSignal): Promise<ApiResult<string>> {
  const response = await ask(path, { signal });
  if (!response) return unreachable;
  if (!response.ok) return refusalOf(response);
  const text = await response.text().catch(() => null);
  return text === null ? unreachable : { is: 'ok', value: text };
}

/** Nobody knows whether the server has taken what it did not answer; sending it once more tells. */
const toBeSent = <T>(answer: ApiResult<T>): ApiResult<T> =>
  answer.is === 'unreachable'
    ? { is: 'unreachable', error: `${answer.error}. The page keeps what was typed: try again once the server is back.` }
    : answer;

/** A request that changes something, typed by what it answers. */
export interface WriteRequest<T> {
  readonly method: string;
  readonly path: TypedPath<T>;
  readonly body?: object;
}

/** The request of a route; what it sends stands in the query of a DELETE, otherwise in the body. */
export function requestTo<Route extends WriteRoute>(
  route: Route,
  names: PathOf<Route>,
  sent: object = {},
): WriteRequest<RouteAnswers[Route]> {
  const method = route.slice(0, route.indexOf(' '));
  const path = pathTo(route, names);
  return method === 'DELETE' ? { method, path: withQuery(path, { ...sent }) } : { method, path, body: sent };
}

/** Sends a request that changes something. */
export const send = async <T>({ method, path, body }: WriteRequest<T>): Promise<ApiResult<T>> =>
  toBeSent(
    await answerOf(path, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    }),
  );

/** Changes something: `write('POST /apps/{app}/scale', { app }, { replicas: 2 })`. */
export const write = <Route extends WriteRoute>(
  route: Route,
  names: PathOf<Route>,
  sent: object = {},
): Promise<ApiResult<RouteAnswers[Route]>> => send(requestTo(route, names, sent));

/** What is asked of a resource of any kind. */
export const resourceRequest = (of: ResourceName, what: 'deploy' | 'retry'): WriteRequest<Done> => ({
  method: 'POST',
  path: resourcePath(of, `/${what}`),
  body: {},
});

/** The settings of a resource of any kind, changed. */
export const resourceChange = (of: ResourceName, body: object): WriteRequest<Read> => ({
  method: 'PATCH',
  path: resourcePath(of, ''),
  body,
});

/** Asks for a check of an instance at once. */
export const requestCheck = (machine: string, instance: string): WriteRequest<Done> =>
  requestTo('POST /machines/{machine}/instances/{instance}/look', { machine, instance });

const part = encodeURIComponent;

/** The paths of streams and of files, which answer no JSON. */
export const api = {
  events: '/api/v1/events',
  description: '/api/v1/openapi.json',
  log: (build: string, container: string) => `/api/v1/builds/${part(build)}/log?container=${part(container)}`,
  serviceLog: (app: string, tail: number) => `/api/v1/apps/${part(app)}/logs/stream?tail=${tail}`,
  consoleSocket: (app: string, session: string) => `/api/v1/apps/${part(app)}/console/ws?session=${part(session)}`,
} as const;

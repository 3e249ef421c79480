import type { PathOf, ReadRoute, RouteAnswers, TypedPath } from './model/routeAnswers.ts';

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

async function answerOf<T>(response: Response | null): Promise<ApiResult<T>> {
  if (!response) return unreachable;
  if (!response.ok) return refusalOf(response);
  try {
    return { is: 'ok', value: (await response.json()) as T };
  } catch {
    return { is: 'unreachable', error: 'The answer broke off' };
  }
}

/** Reads a path. */
export const readPath = async <T>(path: TypedPath<T>, signal?: AbortSignal): Promise<ApiResult<T>> =>
  answerOf<T>(await ask(path, signal ? { signal } : {}));

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

const write = async <T>(path: string, init: RequestInit): Promise<ApiResult<T>> =>
  toBeSent(await answerOf<T>(await ask(path, init)));

const send = <T>(method: 'POST' | 'PATCH', path: string, body: object): Promise<ApiResult<T>> =>
  write<T>(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** Posts an action. */
export const act = <T>(path: string, body: object = {}): Promise<ApiResult<T>> => send<T>('POST', path, body);

/** Sends changed settings. */
export const change = <T>(path: string, body: object): Promise<ApiResult<T>> => send<T>('PATCH', path, body);

/** Sends a DELETE. */
export const remove = <T>(path: string): Promise<ApiResult<T>> => write<T>(path, { method: 'DELETE' });

const part = encodeURIComponent;

/** The path of a route, typed by what it answers. */
export const pathTo = <Route extends ReadRoute>(
  route: Route,
  names: PathOf<Route>,
  query = '',
): TypedPath<RouteAnswers[Route]> =>
  `/api/v1${route.slice('GET '.length).replaceAll(/\{(\w+)\}/g, (_, name: keyof PathOf<Route>) => part(names[name]))}${query}`;

/** The paths of the API. */
export const api = {
  session: '/api/session',
  login: '/api/login',
  logout: '/api/logout',
  events: '/api/v1/events',
  description: '/api/v1/openapi.json',
  instances: (machine: string) => `/api/v1/machines/${part(machine)}/instances`,
  instance: (machine: string, id: string) => `/api/v1/machines/${part(machine)}/instances/${part(id)}`,
  projects: '/api/v1/projects',
  project: (name: string) => `/api/v1/projects/${part(name)}`,
  /** A part of a project, such as `variables/set`. */
  ofProject: (name: string, what: string) => `/api/v1/projects/${part(name)}/${what}`,
  deleteProject: (name: string) => `/api/v1/projects/${part(name)}?confirmName=${part(name)}`,
  deleteEnvironment: (project: string, name: string) =>
    `/api/v1/projects/${part(project)}/environments/${part(name)}?confirmName=${part(name)}`,
  connections: (project: string) => `/api/v1/projects/${part(project)}/cloud-connections`,
  connection: (project: string, name: string) => `/api/v1/projects/${part(project)}/cloud-connections/${part(name)}`,
  /** A part of the platform's settings, such as `domain/save`. */
  ofSettings: (what: string) => `/api/v1/settings/${what}`,
  cluster: (name: string) => `/api/v1/clusters/${part(name)}`,
  nodes: '/api/v1/nodes',
  nodeTags: (name: string) => `/api/v1/nodes/${part(name)}/tags`,
  deleteNode: (name: string) => `/api/v1/nodes/${part(name)}?confirmName=${part(name)}`,
  trigger: (app: string, name: string) => `/api/v1/apps/${part(app)}/triggers/${part(name)}`,
  environmentCounts: (project?: string) =>
    pathTo('GET /counts/environments', {}, project === undefined ? '' : `?project=${part(project)}`),
  kindCounts: (place: Readonly<Record<string, string>>) => {
    const query = new URLSearchParams(place).toString();
    return pathTo('GET /counts/kinds', {}, query === '' ? '' : `?${query}`);
  },
  deployProject: (name: string) => `/api/v1/projects/${part(name)}/deploy`,
  apps: '/api/v1/apps',
  app: (name: string) => `/api/v1/apps/${part(name)}`,
  /** A part of a service, such as `pods`, or an action on it. */
  ofApp: (name: string, what: string) => `/api/v1/apps/${part(name)}/${what}`,
  consoleSocket: (app: string, session: string) => `/api/v1/apps/${part(app)}/console/ws?session=${part(session)}`,
  deleteApp: (name: string, confirmName: string) => `/api/v1/apps/${part(name)}?confirmName=${part(confirmName)}`,
  build: (name: string) => `/api/v1/builds/${part(name)}`,
  log: (name: string, container: string) => `/api/v1/builds/${part(name)}/log?container=${part(container)}`,
  rebuild: (app: string) => `/api/apps/${part(app)}/build`,
  cancel: (app: string) => `/api/apps/${part(app)}/build/cancel`,
  databases: '/api/v1/databases',
  database: (name: string) => `/api/v1/databases/${part(name)}`,
  /** A part of a database, such as `connection`, or an action on it. */
  ofDatabase: (name: string, what: string) => `/api/v1/databases/${part(name)}/${what}`,
  deleteDatabase: (name: string, confirmName: string) =>
    `/api/v1/databases/${part(name)}?confirmName=${part(confirmName)}`,
  logicalDatabases: '/api/v1/logical-databases',
  logicalDatabase: (name: string) => `/api/v1/logical-databases/${part(name)}`,
  /** A part of a logical database, or an action on it. */
  ofLogicalDatabase: (name: string, what: string) => `/api/v1/logical-databases/${part(name)}/${what}`,
  objectStores: '/api/v1/object-stores',
  objectStore: (name: string) => `/api/v1/object-stores/${part(name)}`,
  /** A part of an object store, or an action on it. */
  ofObjectStore: (name: string, what: string) => `/api/v1/object-stores/${part(name)}/${what}`,
  deleteObjectStore: (name: string, confirmName: string) =>
    `/api/v1/object-stores/${part(name)}?confirmName=${part(confirmName)}`,
  /** A resource of any kind. */
  resource({ kind, name }: { readonly kind: string; readonly name: string }): string {
    if (kind === 'CoreDatabase') return api.database(name);
    if (kind === 'CoreObjectStore') return api.objectStore(name);
    return kind === 'CoreLogicalDatabase' ? api.logicalDatabase(name) : api.app(name);
  },
  /** A part of a resource of any kind, or an action on it. */
  ofResource: (of: { readonly kind: string; readonly name: string }, what: string): string =>
    `${api.resource(of)}/${what}`,
  archives: '/api/v1/backup-archives',
  archive: (name: string) => `/api/v1/backup-archives/${part(name)}`,
  ofArchive: (name: string, what: string) => `/api/v1/backup-archives/${part(name)}/${what}`,
  restore: '/api/v1/databases/restore',
  checkHaReadiness: '/api/v1/ha-readiness/check',
  tokens: '/api/v1/tokens',
  token: (id: string) => `/api/v1/tokens/${part(id)}`,
  approve: '/api/v1/auth/device/approve',
  deny: '/api/v1/auth/device/deny',
} as const;

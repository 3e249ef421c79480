/** Every page the dashboard has, as its address says it. */
export type Route =
  | { readonly is: 'machines' }
  | { readonly is: 'machine'; readonly machine: string }
  | { readonly is: 'build'; readonly name: string; readonly view: BuildView }
  | { readonly is: 'apps' }
  | { readonly is: 'app'; readonly name: string }
  | { readonly is: 'apiDocs' }
  | { readonly is: 'unknown'; readonly path: string };

export const buildViews = ['overview', 'log', 'json'] as const;
export type BuildView = (typeof buildViews)[number];

const isView = (text: string | null): text is BuildView => buildViews.some((view) => view === text);

/** The page an address names. */
export function readRoute(path: string, search: string): Route {
  const parts = path.split('/').filter((part) => part !== '');
  const [first, second] = parts.map(decoded);
  const view = new URLSearchParams(search).get('view');
  if (parts.length === 0 || (parts.length === 1 && first === 'machines')) return { is: 'machines' };
  if (parts.length === 1 && first === 'apps') return { is: 'apps' };
  if (parts.length === 1 && first === 'api-docs') return { is: 'apiDocs' };
  if (parts.length !== 2 || second === undefined) return { is: 'unknown', path };
  if (first === 'machines') return { is: 'machine', machine: second };
  if (first === 'builds') return { is: 'build', name: second, view: isView(view) ? view : 'overview' };
  if (first === 'apps') return { is: 'app', name: second };
  return { is: 'unknown', path };
}

/** A part of a path as a person reads it; what is wrongly encoded stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const part = encodeURIComponent;

/** The address of every object. */
export const addressOf = {
  machines: () => '/',
  machine: (machine: string, query = '') => `/machines/${part(machine)}${query}`,
  build: (name: string, view: BuildView = 'overview') =>
    `/builds/${part(name)}${view === 'overview' ? '' : `?view=${view}`}`,
  move: (name: string, seq: number) => `/builds/${part(name)}#move-${seq}`,
  apiDocs: () => '/api-docs',
  apps: () => '/apps',
  app: (name: string) => `/apps/${part(name)}`,
} as const;

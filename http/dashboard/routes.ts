import { ownPath } from './ownPath.ts';

/** Every page the dashboard has, as its address says it. */
export type Route =
  | { readonly is: 'machines' }
  | { readonly is: 'machine'; readonly machine: string }
  | { readonly is: 'instance'; readonly machine: string; readonly id: string }
  | { readonly is: 'build'; readonly name: string; readonly view: BuildView }
  | { readonly is: 'apps' }
  | { readonly is: 'app'; readonly name: string }
  | { readonly is: 'tokens' }
  /** `code` is empty until one is entered. */
  | { readonly is: 'device'; readonly code: string }
  | { readonly is: 'signIn'; readonly to: string }
  | { readonly is: 'apiDocs' }
  | { readonly is: 'unknown'; readonly path: string };

export const buildViews = ['overview', 'log', 'json'] as const;
export type BuildView = (typeof buildViews)[number];

const isView = (text: string | null): text is BuildView => buildViews.some((view) => view === text);

/** The page an address names. */
export function readRoute(path: string, search: string): Route {
  const parts = path.split('/').filter((part) => part !== '');
  const [first, second] = parts.map(decoded);
  const query = new URLSearchParams(search);
  const view = query.get('view');
  if (parts.length === 0) return { is: 'machines' };
  if (parts.length === 1 && first !== undefined) return readSingle(first, query) ?? { is: 'unknown', path };
  if (parts.length > 2 || second === undefined) return readInstance(parts.map(decoded)) ?? { is: 'unknown', path };
  if (first === 'settings' && second === 'tokens') return { is: 'tokens' };
  if (first === 'machines') return { is: 'machine', machine: second };
  if (first === 'builds') return { is: 'build', name: second, view: isView(view) ? view : 'overview' };
  if (first === 'apps') return { is: 'app', name: second };
  return { is: 'unknown', path };
}

function readInstance(parts: readonly string[]): Route | null {
  const [first, machine, id, ...others] = parts;
  if (first !== 'machines' || machine === undefined || id === undefined || others.length > 0) return null;
  return { is: 'instance', machine, id };
}

function readSingle(name: string, query: URLSearchParams): Route | null {
  switch (name) {
    case 'machines':
      return { is: 'machines' };
    case 'apps':
      return { is: 'apps' };
    case 'api-docs':
      return { is: 'apiDocs' };
    case 'settings':
      return { is: 'tokens' };
    case 'device':
      return { is: 'device', code: query.get('code') ?? '' };
    case 'sign-in':
      return { is: 'signIn', to: ownPath(query.get('to')) };
    default:
      return null;
  }
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
  /** A colon may stand in a path as it is, and is easier to read. */
  instance: (machine: string, id: string) => `/machines/${part(machine)}/${part(id).replaceAll('%3A', ':')}`,
  build: (name: string, view: BuildView = 'overview') =>
    `/builds/${part(name)}${view === 'overview' ? '' : `?view=${view}`}`,
  move: (name: string, seq: number) => `/builds/${part(name)}#move-${seq}`,
  apiDocs: () => '/api-docs',
  apps: () => '/apps',
  app: (name: string) => `/apps/${part(name)}`,
  tokens: () => '/settings/tokens',
  device: (code = '') => `/device${code === '' ? '' : `?code=${part(code)}`}`,
} as const;

import { ownPath } from './ownPath.ts';

/** Every page of the dashboard, as its address names it. */
export type Route =
  | { readonly is: 'machines' }
  | { readonly is: 'machine'; readonly machine: string }
  /** `view` is empty for the overview. */
  | { readonly is: 'instance'; readonly machine: string; readonly id: string; readonly view: string }
  | { readonly is: 'apps' }
  | { readonly is: 'app'; readonly name: string }
  | { readonly is: 'tokens' }
  /** `code` is empty until one is entered. */
  | { readonly is: 'device'; readonly code: string }
  | { readonly is: 'signIn'; readonly to: string }
  | { readonly is: 'apiDocs' }
  | { readonly is: 'unknown'; readonly path: string };

/** Short paths with the plurals of kubectl lead to the main machine of a kind. */
const shortPaths: Readonly<Record<string, { readonly machine: string; readonly plural: string }>> = {
  builds: { machine: 'build', plural: 'corebuilds' },
  databases: { machine: 'database', plural: 'coredatabases' },
};

/** The page of an address. */
export function readRoute(path: string, search: string): Route {
  const parts = path.split('/').filter((part) => part !== '');
  const [first, second] = parts.map(decoded);
  const query = new URLSearchParams(search);
  const view = query.get('view') ?? '';
  if (parts.length === 0) return { is: 'machines' };
  if (parts.length === 1 && first !== undefined) return readSingle(first, query) ?? { is: 'unknown', path };
  if (parts.length > 2 || second === undefined)
    return readInstance(parts.map(decoded), view) ?? { is: 'unknown', path };
  if (first === 'settings' && second === 'tokens') return { is: 'tokens' };
  if (first === 'machines') return { is: 'machine', machine: second };
  const short = first === undefined ? undefined : shortPaths[first];
  if (short) return { is: 'instance', machine: short.machine, id: `${short.plural}:${second}`, view };
  if (first === 'apps') return { is: 'app', name: second };
  return { is: 'unknown', path };
}

function readInstance(parts: readonly string[], view: string): Route | null {
  const [first, machine, id, ...others] = parts;
  if (first !== 'machines' || machine === undefined || id === undefined || others.length > 0) return null;
  return { is: 'instance', machine, id, view };
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

/** A decoded part of a path; wrongly encoded text stays unchanged. */
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
  /** A colon is allowed in a path, and is easier to read unencoded. */
  instance: (machine: string, id: string, view = '') =>
    `/machines/${part(machine)}/${part(id).replaceAll('%3A', ':')}${view === '' ? '' : `?view=${view}`}`,
  build: (name: string, view = ''): string => addressOf.instance('build', `corebuilds:${name}`, view),
  apiDocs: () => '/api-docs',
  apps: () => '/apps',
  app: (name: string) => `/apps/${part(name)}`,
  tokens: () => '/settings/tokens',
  device: (code = '') => `/device${code === '' ? '' : `?code=${part(code)}`}`,
} as const;

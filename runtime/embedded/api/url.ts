import { noSuchPath } from './status.ts';

/** The path and the query of a request. */
export interface Address {
  readonly path: string;
  readonly query: URLSearchParams;
}

export function addressOf(url = '/'): Address {
  const mark = url.indexOf('?');
  return mark < 0
    ? { path: url, query: new URLSearchParams() }
    : { path: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1)) };
}

interface Parts {
  readonly group: string;
  readonly version: string;
  readonly namespace: string | null;
  readonly rest: readonly string[];
}

/** What a path of a resource consists of; null for any other path: `/api/<version>/…` or `/apis/<group>/<version>/…`, with or without `namespaces/<namespace>/`. */
export function partsOf(path: string): Parts | null {
  const [root, ...segments] = path
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);
  if (root !== 'api' && root !== 'apis') return null;
  const group = root === 'api' ? '' : segments.shift();
  const [version, ...rest] = segments;
  if (group === undefined || version === undefined || rest.length === 0) return null;
  const [first, namespace = null, third] = rest;
  if (first !== 'namespaces' || third === undefined || isNamespacePart(group, third))
    return { group, version, namespace: null, rest };
  return { group, version, namespace, rest: rest.slice(2) };
}

/** A watch was once asked for by a path of its own, and still may be; that of one object selects it by its name. */
export function plainUrl(url: string): string {
  const [path = '', query] = url.split('?');
  const [, root = '', watched] = /^(\/api\/[^/]+|\/apis\/[^/]+\/[^/]+)\/watch\/(.+)$/.exec(path) ?? [];
  if (watched === undefined) return url;
  const parts = watched.split('/').filter((part) => part !== '');
  const name = parts.length % 2 === 0 ? parts.pop() : undefined;
  const selected = name === undefined ? '' : `fieldSelector=metadata.name%3D${name}&`;
  return `${root}/${parts.join('/')}?${selected}${query === undefined ? '' : `${query}&`}watch=true`;
}

function decoded(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    throw noSuchPath();
  }
}

/** `/api/v1/namespaces/x/status` is about the namespace, anything else below it about what it contains. */
const isNamespacePart = (group: string, segment: string) =>
  group === '' && (segment === 'status' || segment === 'finalize');

/** Whether a parameter of a query says yes: whatever it says, unless that is no. */
export const isTrue = (text: string | null) => text !== null && text !== '0' && text.toLowerCase() !== 'false';

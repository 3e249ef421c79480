import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Place } from '../store.ts';
import type { Registry } from './kinds/registry.ts';
import type { ResourceType, Subresource } from './kinds/type.ts';
import { methodNotAllowed, noSuchPath } from './status.ts';
import type { ApiStore } from './store/store.ts';

/** What of the path of a request names a resource. */
interface Target {
  readonly type: ResourceType;
  /** Empty for a cluster-scoped resource and for all namespaces. */
  readonly namespace: string;
  readonly name: string | null;
  readonly subresource: Subresource | null;
}

/** One request for objects, understood. */
export interface Call extends Target {
  readonly store: ApiStore;
  readonly registry: Registry;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  /** Adds a `Warning` header to the answer. */
  readonly warn: (text: string) => void;
}

/** The resource that a path names; null for a path that names none at all. */
export function targetOf(path: string, registry: Registry): Target | null {
  const parts = partsOf(path);
  if (!parts) return null;
  const { group, version, namespace, rest } = parts;
  const [plural = '', name = null, subresource = null, ...more] = rest;
  const type = registry.find(group, version, plural);
  if (!type || more.length > 0 || (namespace !== null && !type.namespaced)) throw noSuchPath();
  if (type.namespaced && namespace === null && name !== null) throw noSuchPath();
  return { type, namespace: namespace ?? '', name, subresource: subresourceOf(type, subresource) };
}

function subresourceOf(type: ResourceType, asked: string | null): Subresource | null {
  const known = type.subresources.find((one) => one === asked) ?? null;
  if (asked !== null && known === null) throw noSuchPath();
  return known;
}

interface Parts {
  readonly group: string;
  readonly version: string;
  readonly namespace: string | null;
  readonly rest: readonly string[];
}

/** `/api/<version>/…` or `/apis/<group>/<version>/…`, with or without `namespaces/<namespace>/`. */
function partsOf(path: string): Parts | null {
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

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw noSuchPath();
  }
}

/** `/api/v1/namespaces/x/status` is about the namespace, anything else below it about what it contains. */
const isNamespacePart = (group: string, segment: string) =>
  group === '' && (segment === 'status' || segment === 'finalize');

/** The place of the one object that the call is about. */
export function placeOf({ type, namespace, name }: Target): Place {
  if (name === null) throw methodNotAllowed();
  return { bucket: type.bucket, namespace, name };
}

export const isTrue = (text: string | null) => text === 'true' || text === '1';
export const isDryRun = ({ query }: Call) => query.get('dryRun') === 'All';

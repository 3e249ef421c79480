import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Place } from '../store.ts';
import type { Registry } from './kinds/registry.ts';
import type { ResourceType, Subresource } from './kinds/type.ts';
import { methodNotAllowed, noSuchPath } from './status.ts';
import type { ApiStore } from './store/store.ts';

/** What of the path of a request names a resource. */
export interface Target {
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
  const [root, ...segments] = path
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent);
  if (root !== 'api' && root !== 'apis') return null;
  const group = root === 'api' ? '' : segments.shift();
  const version = segments.shift();
  if (group === undefined || version === undefined || segments.length === 0) return null;
  const inNamespace = segments[0] === 'namespaces' && segments.length > 2 && !isNamespacePart(group, segments[2]);
  const namespace = inNamespace ? (segments[1] ?? '') : '';
  const [plural = '', name = null, subresource = null, ...more] = inNamespace ? segments.slice(2) : segments;
  const type = registry.find(group, version, plural);
  if (!type || more.length > 0 || (inNamespace && !type.namespaced)) throw noSuchPath();
  if (type.namespaced && !inNamespace && name !== null) throw noSuchPath();
  const known = type.subresources.find((one) => one === subresource) ?? null;
  if (subresource !== null && known === null) throw noSuchPath();
  return { type, namespace, name, subresource: known };
}

/** `/api/v1/namespaces/x/status` is about the namespace, anything else below it about what it contains. */
const isNamespacePart = (group: string, segment: string | undefined) =>
  group === '' && (segment === 'status' || segment === 'finalize');

/** The place of the one object that the call is about. */
export function placeOf({ type, namespace, name }: Target): Place {
  if (name === null) throw methodNotAllowed();
  return { bucket: type.bucket, namespace, name };
}

export const isTrue = (text: string | null) => text === 'true' || text === '1';
export const isDryRun = ({ query }: Call) => query.get('dryRun') === 'All';

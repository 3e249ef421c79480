import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OpenResponses } from '../openResponses.ts';
import type { Place } from '../store.ts';
import type { Admission } from './admission/admission.ts';
import type { Caller } from './authorization/caller.ts';
import type { Registry } from './kinds/registry.ts';
import type { ResourceType, Subresource } from './kinds/type.ts';
import { nothingThere } from './nothingThere.ts';
import type { Pace } from './pace.ts';
import { type StatusError, methodNotAllowed, notFound } from './status.ts';
import type { ApiStore } from './store/store.ts';
import { partsOf } from './url.ts';
import type { YamlReader } from './yaml/reader.ts';

export { isTrue } from './url.ts';

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
  readonly admission: Admission;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  readonly caller: Caller;
  /** Who sent the request, in whose name ever. */
  readonly sender: string;
  readonly yaml: YamlReader;
  readonly pace: Pace;
  readonly held: OpenResponses;
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
  if (!type || (namespace !== null && !type.namespaced)) throw nothingThere(path);
  if (type.namespaced && namespace === null && name !== null) throw nothingThere(path);
  // Of a declared kind it is the object that has no such part.
  const strange = () => (type.custom && name !== null ? notFound(type, name) : nothingThere(path));
  if (more.length > 0) throw strange();
  return { type, namespace: namespace ?? '', name, subresource: subresourceOf(type, subresource, strange) };
}

function subresourceOf(type: ResourceType, asked: string | null, strange: () => StatusError): Subresource | null {
  const known = type.subresources.find((one) => one === asked) ?? null;
  if (asked !== null && known === null) throw strange();
  return known;
}

/** The place of the one object that the call is about. */
export function placeOf({ type, namespace, name }: Target): Place {
  if (name === null) throw methodNotAllowed();
  return { bucket: type.bucket, namespace, name };
}

export const isDryRun = ({ query }: Call) => query.get('dryRun') === 'All';

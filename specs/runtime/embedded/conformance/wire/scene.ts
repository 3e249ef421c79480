import type { Json } from '../../../../../runtime/embedded/api/json.ts';

/** One request as it goes over the wire. */
export interface Ask {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly type?: string;
  readonly accept?: string;
  /** What of the body is looked at; all of it where nothing is said. */
  readonly look?: (body: Json) => unknown;
  /** Asked again until the answer's body is so; what takes its time is waited for. */
  readonly until?: (body: Json) => boolean;
  /** Whether who manages which fields is looked at too. */
  readonly managers?: true;
}

/** The bodies of the answers so far, in their order. */
export type Told = readonly Json[];

/** A request, or what makes one of the answers before it. */
export type Step = Ask | ((told: Told) => Ask);

/** Requests that belong together; what they leave behind is deleted by whoever plays them. */
export interface Scene {
  readonly title: string;
  readonly steps: readonly Step[];
}

/** What came back, in words that two API servers share. */
export interface Answer {
  readonly asked: string;
  readonly code: number;
  readonly type?: string;
  readonly warnings?: readonly string[];
  readonly body: unknown;
}

export const json = 'application/json';
export const jsonPatch = 'application/json-patch+json';
export const mergePatch = 'application/merge-patch+json';
export const strategicPatch = 'application/strategic-merge-patch+json';
export const applyPatch = 'application/apply-patch+yaml';
export const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
export const partial = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json';
export const partialList = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json';

export const get = (path: string, more: Omit<Ask, 'method' | 'path'> = {}): Ask => ({ method: 'GET', path, ...more });
export const post = (path: string, body: unknown, more: Omit<Ask, 'method' | 'path' | 'body'> = {}): Ask => ({
  method: 'POST',
  path,
  body,
  ...more,
});
export const put = (path: string, body: unknown, more: Omit<Ask, 'method' | 'path' | 'body'> = {}): Ask => ({
  method: 'PUT',
  path,
  body,
  ...more,
});
export const patch = (path: string, type: string, body: unknown, more: Partial<Ask> = {}): Ask => ({
  method: 'PATCH',
  path,
  type,
  body,
  ...more,
});
export const remove = (path: string, body?: unknown, more: Omit<Ask, 'method' | 'path' | 'body'> = {}): Ask => ({
  method: 'DELETE',
  path,
  ...(body !== undefined && { body }),
  ...more,
});

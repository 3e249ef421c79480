import { StatusError, noSuchPath } from '../status.ts';
import { verbOfMethod } from '../verbs/method.ts';
import type { ResourceType, Subresource } from './type.ts';

interface Asked {
  readonly type: ResourceType;
  readonly namespace: string;
  readonly name: string | null;
  readonly subresource: Subresource | null;
}

/** Refuses what is not done to objects of a declared kind. */
export function checkCustomVerb({ type, namespace, name, subresource }: Asked, method: string): void {
  if (type.custom === undefined) return;
  const verb = method === 'HEAD' ? 'get' : (verbOfMethod[method] ?? '');
  // All namespaces at once can only be looked at.
  if (type.namespaced && namespace === '' && verb !== 'get') throw noSuchPath();
  if (name === null && (verb === 'update' || verb === 'patch'))
    throw new StatusError(400, 'BadRequest', 'name must be provided');
  if (verb !== '' && !(subresource !== null && ['create', 'delete'].includes(verb))) return;
  const { group, plural } = type;
  throw new StatusError(405, 'MethodNotAllowed', `${verb} is not supported on resources of kind "${plural}.${group}"`, {
    group,
    kind: plural,
  });
}

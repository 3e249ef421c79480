import { systemNamespace } from '../../../crds/names.ts';
import { noSuchPath } from '../../../runtime/embedded/api/status.ts';
import type { Place } from '../../../runtime/embedded/store.ts';
import type { Name, Resource } from '../../../runtime/services/cluster/cluster.ts';
import { typeOf } from './types.ts';

/** The namespace that a request is about: none for a resource without namespaces, and for all of them. */
export function namespaceOf({ namespaced }: Resource, namespace: string = systemNamespace): string {
  return namespaced && namespace !== 'all' ? namespace : '';
}

/** Where one object is kept. */
export function placeOf(resource: Resource, { name, namespace }: Name): Place {
  const { bucket } = typeOf(resource);
  const place = { bucket, namespace: namespaceOf(resource, namespace), name };
  if (resource.namespaced && place.namespace === '') throw noSuchPath();
  return place;
}

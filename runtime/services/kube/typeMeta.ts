import type { KubeObject } from '../../../crds/kind.ts';
import { apiVersionOf, type Resource } from '../cluster/cluster.ts';

/**
 * Adds `apiVersion` and `kind`, which a real API server leaves out of list items of built-in kinds. Applied to every
 * object of a list or a watch.
 */
export const withType = <O extends KubeObject>(resource: Resource<O>, object: O): O =>
  object.kind === undefined || object.apiVersion === undefined
    ? { ...object, apiVersion: apiVersionOf(resource), kind: resource.kind }
    : object;

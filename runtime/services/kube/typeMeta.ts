import type { KubeObject } from '../../../crds/kind.ts';
import { apiVersionOf, type Resource } from '../cluster/cluster.ts';

/**
 * The object with `apiVersion` and `kind`, which a real API server leaves out of the items of lists of built-in kinds.
 * Whatever a list or a watch hands on has passed through here.
 */
export const withType = <O extends KubeObject>(resource: Resource<O>, object: O): O =>
  object.kind === undefined || object.apiVersion === undefined
    ? { ...object, apiVersion: apiVersionOf(resource), kind: resource.kind }
    : object;

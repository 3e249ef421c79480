import type { KubeObject } from '../../../crds/kind.ts';
import type { Resource } from '../../services/cluster/cluster.ts';

/** A namespaced kind of the core group. */
export const builtIn = <O extends KubeObject>(kind: string, plural: string): Resource<O> => ({
  group: '',
  version: 'v1',
  kind,
  plural,
  namespaced: true,
});

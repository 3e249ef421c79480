import type { AppSpec } from '../../../../crds/coreApp.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { clusters, projects } from '../../../services/cluster/kinds.ts';

/** The cluster of a service: that of its project. */
export function clusterOf({ project }: AppSpec, reader: CacheReader) {
  const name = reader.get(projects, project)?.spec.clusterRef.name ?? '';
  return { name, found: reader.get(clusters, name) };
}

import type { CoreProject } from '../../crds/coreProject.ts';
import type { Placement } from '../../rules/placement.ts';
import type { CacheReader } from '../cache/reader.ts';
import { clusters, projects } from '../services/cluster/kinds.ts';

/**
 * The placement of a project's workloads: in its region, else in the default region of its cluster (001 CoreProject).
 */
export function placementOf(project: CoreProject | undefined, reader: CacheReader): Placement {
  const cluster = reader.get(clusters, project?.spec.clusterRef.name ?? '');
  return {
    region: project?.spec.region || cluster?.spec.defaultRegion || '',
    tags: project?.spec.requiredTags ?? [],
  };
}

/** The same for a project by its name. */
export const projectPlacement = (name: string, reader: CacheReader): Placement =>
  placementOf(reader.get(projects, name), reader);

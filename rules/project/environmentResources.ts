import type { KubeObject } from '../../crds/kind.ts';
import type { ProjectSpec } from '../../crds/coreProject.ts';
import { operatorBinding } from './access.ts';
import type { Environment } from './environment.ts';
import { blockCloudMetadata, projectIsolation } from './policies.ts';

/**
 * The objects in the namespace of an environment; the binding comes first, because nothing else can be written without
 * it.
 */
export function environmentResources(
  of: Environment,
  { network }: Pick<ProjectSpec, 'network'>,
): readonly KubeObject[] {
  const isolated = network?.isolation !== 'None';
  return [
    operatorBinding(of),
    blockCloudMetadata(of),
    ...(isolated ? [projectIsolation(of, network?.allowFromProjects ?? [])] : []),
  ];
}

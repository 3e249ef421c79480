import { coreCluster } from '../../crds/coreCluster.ts';
import { coreProject, type CoreProject, type ProjectSpec } from '../../crds/coreProject.ts';
import { type KubeObject, typeMeta } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import { clusters, projects } from '../../runtime/services/cluster/kinds.ts';
import { owned } from '../../runtime/owned/owned.ts';
import { namespaces } from '../../runtime/services/cluster/resources.ts';
import type { Resource } from '../../runtime/services/cluster/cluster.ts';
import type { TestEnvironment } from './environment.ts';

export const inSystem = (name: string) => ({ name, namespace: systemNamespace });
export const projectName = 'shop';

/** A CoreCluster, Ready or not. */
export function putCluster({ cluster }: TestEnvironment, name = 'local', status: 'True' | 'False' = 'True'): void {
  const ready = { type: 'Ready', status, reason: 'Embedded', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
  cluster.put(clusters, {
    ...typeMeta(coreCluster),
    metadata: inSystem(name),
    spec: { defaultRegion: 'local' },
    status: { conditions: [ready] },
  });
}

export const projectIn = ({ cluster }: TestEnvironment): CoreProject | undefined =>
  cluster.all(projects).find(({ metadata }) => metadata.name === projectName);

/** Writes the project as a person does: as it stands, but for these fields of its spec. */
export function putProject(environment: TestEnvironment, spec: Partial<ProjectSpec> = {}): void {
  const found = projectIn(environment);
  const generation = (found?.metadata.generation ?? 0) + 1;
  const before: ProjectSpec = found?.spec ?? { clusterRef: { name: 'local' }, environments: ['production'] };
  environment.cluster.put(projects, {
    ...typeMeta(coreProject),
    metadata: { ...(found?.metadata ?? inSystem(projectName)), generation },
    spec: { ...before, ...spec },
    ...(found?.status === undefined ? {} : { status: found.status }),
  });
}

/** What stands under a name in an environment's namespace. */
export const pieceIn = <O extends KubeObject>(
  { cluster }: TestEnvironment,
  resource: Resource<O>,
  name: string,
  namespace = 'shop-production',
): O | undefined =>
  cluster.all(resource).find(({ metadata }) => metadata.name === name && metadata.namespace === namespace);

export const namespaceIn = ({ cluster }: TestEnvironment, name = 'shop-production'): KubeObject | undefined =>
  cluster.all(namespaces).find(({ metadata }) => metadata.name === name);

export const isolationIn = (environment: TestEnvironment, namespace?: string) =>
  pieceIn(environment, owned.networkPolicies, 'core-project-isolation', namespace);
export const metadataBlockIn = (environment: TestEnvironment, namespace?: string) =>
  pieceIn(environment, owned.networkPolicies, 'core-block-cloud-metadata', namespace);
export const bindingIn = (environment: TestEnvironment, namespace?: string) =>
  pieceIn(environment, owned.roleBindings, 'core-environment', namespace);

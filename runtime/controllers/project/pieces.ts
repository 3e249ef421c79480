import type { CoreProject } from '../../../crds/coreProject.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { label } from '../../../crds/names.ts';
import type { Environment } from '../../../rules/project/environment.ts';
import { namespaceOf } from '../../../rules/project/environment.ts';
import { environmentPieces } from '../../../rules/project/pieces.ts';
import { projects } from '../../kinds.ts';
import { makeOwned, type Owned, owned, type OwnedObject } from '../../owned/owned.ts';
import { namespaces } from '../../resources.ts';
import type { Seen } from '../../seen.ts';
import { foundOf } from './namespaces.ts';

/** What stands in the environments of projects: the operator's binding, and the network policies. */
export const environmentPiecesOwned = (): Owned<CoreProject> =>
  makeOwned({ owners: projects, resources: [owned.roleBindings, owned.networkPolicies], wanted });

const wanted = (project: CoreProject, seen: Seen): readonly OwnedObject[] =>
  environmentsKept(project, seen).flatMap((of) => environmentPieces(of, project.spec).map(asOwned));

const asOwned = (object: KubeObject): OwnedObject =>
  object.kind === 'RoleBinding'
    ? { resource: owned.roleBindings, object, fixed: [{ path: ['roleRef'], then: 'replace' }] }
    : { resource: owned.networkPolicies, object, whole: [['spec']] };

/**
 * The environments of the list, and those taken off it whose namespace still stands: their workloads stay, and so does
 * what protects them (decision 67). In a namespace that goes, or is another project's, nothing is kept.
 */
function environmentsKept(project: CoreProject, seen: Seen): readonly Environment[] {
  const { name } = project.metadata;
  const labelled = seen
    .indexed(namespaces, label.project, name)
    .filter(({ metadata }) => metadata.name === namespaceOf(name, metadata.labels?.[label.environment] ?? ''))
    .map(({ metadata }) => metadata.labels?.[label.environment] ?? '');
  return [...new Set([...project.spec.environments, ...labelled])]
    .filter((environment) => {
      const found = foundOf(project, seen.get(namespaces, namespaceOf(name, environment)));
      return found !== 'ending' && found !== 'taken';
    })
    .map((environment) => ({ project: name, environment, cluster: project.spec.clusterRef.name }));
}

import type { CoreProject } from '../../../crds/coreProject.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { label } from '../../../crds/names.ts';
import { isOf } from '../../../rules/owned/ownedObject.ts';
import { type Environment, namespaceOf } from '../../../rules/project/environment.ts';
import { isMade } from '../../../rules/project/namespace.ts';
import { environmentPieces } from '../../../rules/project/pieces.ts';
import { projects } from '../../kinds.ts';
import { makeOwned, type Owned, owned, type OwnedObject } from '../../owned/owned.ts';
import { namespaces } from '../../resources.ts';
import type { Seen } from '../../seen.ts';
import { foundOf } from './namespaces.ts';

/**
 * What stands in the environments of projects: the operator's binding and the network policies. The binding comes first
 * and goes last, for nothing else can be done there without it.
 */
export const environmentPiecesOwned = (): Owned<CoreProject> =>
  makeOwned({ owners: projects, resources: [owned.networkPolicies, owned.roleBindings], wanted });

const wanted = (project: CoreProject, seen: Seen): readonly OwnedObject[] =>
  environmentsKept(project, seen).flatMap(({ of, isEnding }) =>
    environmentPieces(of, project.spec)
      .map(asOwned)
      // What goes with its namespace is neither made again nor removed.
      .filter((piece) => !isEnding || stands(piece, seen)),
  );

const stands = ({ resource, object: { metadata } }: OwnedObject, seen: Seen): boolean => {
  const found = seen.get(resource, metadata.name, metadata.namespace);
  return found !== undefined && found.metadata.deletionTimestamp === undefined;
};

/**
 * What still stands while a project goes: in a namespace that was made for it everything, for it goes with that, in
 * another one the binding for as long as there is something to remove.
 */
export const leaving = (project: CoreProject, seen: Seen): readonly OwnedObject[] =>
  wanted(project, seen).filter(({ resource, object: { metadata } }) => {
    const namespace = seen.get(namespaces, metadata.namespace ?? '');
    if (namespace === undefined || isMade(namespace)) return namespace !== undefined;
    return resource === owned.roleBindings && hasPolicies(project, seen, namespace.metadata.name);
  });

const hasPolicies = ({ metadata: { name } }: CoreProject, seen: Seen, namespace: string): boolean =>
  seen.list(owned.networkPolicies, namespace).some((policy) => isOf(policy, { kind: projects.kind, name }));

const asOwned = (object: KubeObject): OwnedObject =>
  object.kind === 'RoleBinding'
    ? { resource: owned.roleBindings, object, fixed: [{ path: ['roleRef'], then: 'replace' }] }
    : { resource: owned.networkPolicies, object, whole: [['spec']] };

interface Kept {
  readonly of: Environment;
  /** Its namespace is being deleted. */
  readonly isEnding: boolean;
}

/**
 * The environments of the list, and those taken off it whose namespace still stands: their workloads stay, and so does
 * what protects them (decision 67). In a namespace that is another project's nothing is kept.
 */
function environmentsKept(project: CoreProject, seen: Seen): readonly Kept[] {
  const { name } = project.metadata;
  const labelled = seen
    .indexed(namespaces, label.project, name)
    .filter(({ metadata }) => metadata.name === namespaceOf(name, metadata.labels?.[label.environment] ?? ''))
    .map(({ metadata }) => metadata.labels?.[label.environment] ?? '');
  return [...new Set([...project.spec.environments, ...labelled])]
    .map((environment) => ({
      of: { project: name, environment, cluster: project.spec.clusterRef.name },
      found: foundOf(project, seen.get(namespaces, namespaceOf(name, environment))),
    }))
    .filter(({ found }) => found !== 'taken')
    .map(({ of, found }) => ({ of, isEnding: found === 'ending' }));
}

import type { CoreProject } from '../../../crds/coreProject.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { label } from '../../../crds/names.ts';
import { isOf } from '../../../rules/owned/ownedObject.ts';
import { environmentsGoing, environmentsStaying } from '../../../rules/project/deletion.ts';
import { type Environment, namespaceOf } from '../../../rules/project/environment.ts';
import { isMade } from '../../../rules/project/namespace.ts';
import { environmentResources } from '../../../rules/project/environmentResources.ts';
import {
  type EnvironmentVariables,
  environmentVariables,
  sharedSecrets,
  variableObjects,
} from '../../../rules/project/variables.ts';
import { projects } from '../../services/cluster/kinds.ts';
import { makeOwned, type Owned, owned, type OwnedObject } from '../../owned/owned.ts';
import { namespaces, secrets } from '../../services/cluster/resources.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { memoize } from '../../cache/memoize.ts';
import type { Resource } from '../../services/cluster/cluster.ts';
import { cachedOf, environmentContents, heldBy } from './observe/contents.ts';
import { foundOf } from './ask.ts';
import { isDeleting } from '../../../rules/deleting.ts';

/** The kinds in an environment besides the binding. */
const contents = [owned.networkPolicies, owned.configMaps, owned.secrets] as const;

/** All kinds written into an environment, in deletion order: nothing can be done without the binding. */
export const environmentKinds = [...contents, owned.roleBindings] as const;

/**
 * The owned objects in the environments of projects: the operator's binding, the network policies and the shared
 * variables. The binding is created first and deleted last, because everything else needs it.
 */
export const projectResources = (): Owned<CoreProject> =>
  makeOwned({ owners: projects, resources: environmentKinds, desired: wanted });

const wanted = (project: CoreProject, reader: CacheReader): readonly OwnedObject[] =>
  environmentsKept(project, reader).flatMap(({ of, isEnding }) => {
    const variables = variableObjects(of, variablesOf(project, reader, of.environment));
    const ownedResources = [...settledResources(of, project, reader), ...variables.map(asOwned)]
      // Objects deleted with their namespace are neither recreated nor removed.
      .filter((piece) => !isEnding || isLive(piece, reader));
    return isLeft(project, of.environment, reader)
      ? ownedResources.filter(staysUntilTheEnd(project, reader))
      : ownedResources;
  });

const lastResources = memoize<readonly OwnedObject[]>();

/** Returns identical objects while their inputs are unchanged, so that cached comparisons are found. */
function settledResources(of: Environment, { spec }: CoreProject, reader: CacheReader): readonly OwnedObject[] {
  const derive = () => environmentResources(of, spec).map(asOwned);
  const namespace = reader.get(namespaces, namespaceOf(of.project, of.environment));
  if (namespace === undefined) return derive();
  return lastResources(namespace, [...Object.values(of), JSON.stringify(spec.network)], derive);
}

/** Whether an environment is being deleted and nothing runs in it. */
const isLeft = (project: CoreProject, environment: string, reader: CacheReader): boolean =>
  environmentsGoing(project).includes(environment) &&
  environmentContents.every((kind) => cachedOf(kind, reader, heldBy(project, environment)).length === 0);

/** The shared variables of an environment, as far as their Secrets exist. */
export const variablesOf = (project: CoreProject, reader: CacheReader, environment: string): EnvironmentVariables =>
  environmentVariables(project.spec.sharedVariables ?? [], environment, {
    secret: (name) => {
      const found = reader.get(secrets, name);
      return found && (found.data ?? {});
    },
    standing: reader.get(owned.secrets, sharedSecrets, namespaceOf(project.metadata.name, environment))?.data ?? {},
  });

const isLive = ({ resource, object: { metadata } }: OwnedObject, reader: CacheReader): boolean => {
  const found = reader.get(resource, metadata.name, metadata.namespace);
  return found !== undefined && !isDeleting(found);
};

/**
 * The objects kept during the deletion of a project: in a namespace created for it everything, because that is deleted
 * with the namespace; in another one the binding, while there is something to remove.
 */
export const deletedLast = (project: CoreProject, reader: CacheReader): readonly OwnedObject[] =>
  wanted(project, reader).filter(staysUntilTheEnd(project, reader));

const staysUntilTheEnd =
  (project: CoreProject, reader: CacheReader) =>
  (piece: OwnedObject): boolean => {
    const namespace = reader.get(namespaces, piece.object.metadata.namespace ?? '');
    if (namespace === undefined || isMade(namespace)) return namespace !== undefined;
    return piece.resource === owned.roleBindings && hasContents(project, reader, namespace.metadata.name);
  };

const hasContents = ({ metadata: { name } }: CoreProject, reader: CacheReader, namespace: string): boolean =>
  contents.some((resource: Resource) =>
    reader.list(resource, namespace).some((one) => isOf(one, { kind: projects.kind, name })),
  );

function asOwned(object: KubeObject): OwnedObject {
  switch (object.kind) {
    case 'RoleBinding':
      return { resource: owned.roleBindings, object, fixed: [{ path: ['roleRef'], then: 'replace' }] };
    case 'ConfigMap':
      return { resource: owned.configMaps, object, whole: [['data']] };
    case 'Secret':
      return { resource: owned.secrets, object, whole: [['data']] };
    default:
      return { resource: owned.networkPolicies, object, whole: [['spec']] };
  }
}

interface KeptEnvironment {
  readonly of: Environment;
  /** Nothing is created in it. */
  readonly isEnding: boolean;
}

/**
 * The listed environments, and unlisted ones whose namespace still exists: their workloads and network policies stay
 * (decision 67). Excludes namespaces of another project.
 */
function environmentsKept(project: CoreProject, reader: CacheReader): readonly KeptEnvironment[] {
  const { name } = project.metadata;
  const going = environmentsGoing(project);
  return [...new Set([...project.spec.environments, ...labelledFor(project, reader)])]
    .map((environment) => ({
      of: { project: name, environment, cluster: project.spec.clusterRef.name },
      found: foundOf(project, reader.get(namespaces, namespaceOf(name, environment))),
    }))
    .filter(({ found }) => found !== 'taken')
    .map(({ of, found }) => ({
      of,
      // The namespace of an environment being deleted is deleted or not cached yet: its contents are kept so far.
      isEnding: found === 'ending' || (found === 'absent' && going.includes(of.environment)),
    }));
}

const labelledFor = ({ metadata: { name } }: CoreProject, reader: CacheReader): readonly string[] =>
  reader
    .indexed(namespaces, label.project, name)
    .filter(({ metadata }) => metadata.name === namespaceOf(name, metadata.labels?.[label.environment] ?? ''))
    .map(({ metadata }) => metadata.labels?.[label.environment] ?? '');

/** The cached namespaces of unlisted environments, and of those being deleted. */
export function unlistedNamespaces(project: CoreProject, reader: CacheReader): readonly string[] {
  const staying = environmentsStaying(project);
  return labelledFor(project, reader)
    .filter((environment) => !staying.includes(environment))
    .map((environment) => namespaceOf(project.metadata.name, environment));
}

export type ProjectResources = Owned<CoreProject>;

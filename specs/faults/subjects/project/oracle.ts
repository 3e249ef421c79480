import type { CoreProject } from '../../../../crds/coreProject.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { label } from '../../../../crds/names.ts';
import { canonicalJson } from '../../../../rules/canonical.ts';
import { isReady } from '../../../../rules/condition.ts';
import { environmentResources } from '../../../../rules/project/environmentResources.ts';
import { clusters } from '../../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../../runtime/owned/owned.ts';
import { namespaces, secrets } from '../../../../runtime/services/cluster/resources.ts';
import { namespaceIn, pieceIn, projectIn, projectName } from '../../../support/project.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import type { Oracle } from '../subject.ts';
import { stateIn } from './paths.ts';

const madeBy = ({ metadata: { labels } }: KubeObject) => labels?.['core.platform/managed-by'] === 'core';
const resourceOf = ({ kind }: KubeObject) => (kind === 'RoleBinding' ? owned.roleBindings : owned.networkPolicies);
const partsOf = (object: KubeObject | undefined): string => {
  const { spec, roleRef, subjects } = (object ?? {}) as Readonly<Record<string, unknown>>;
  return canonicalJson({ spec, roleRef, subjects });
};

/** What a ready project lacks in one of its environments. */
function lackingIn(fakes: TestEnvironment, project: CoreProject, environment: string): readonly string[] {
  const name = `${projectName}-${environment}`;
  const namespace = namespaceIn(fakes, name);
  if (!namespace) return [`the namespace ${name} is missing`];
  // The API creates nothing in it.
  if (namespace.metadata.deletionTimestamp !== undefined) return [];
  const labels = namespace.metadata.labels ?? {};
  const cluster = project.spec.clusterRef.name;
  const labelled = labels[label.project] === projectName && labels[label.environment] === environment;
  const resources = environmentResources({ project: projectName, environment, cluster }, project.spec);
  const isolation = pieceIn(fakes, owned.networkPolicies, 'core-project-isolation', name);
  return [
    ...(labelled && labels[label.cluster] === cluster ? [] : [`the namespace ${name} is not labelled`]),
    ...resources
      .filter((piece) => partsOf(pieceIn(fakes, resourceOf(piece), piece.metadata.name, name)) !== partsOf(piece))
      .map((piece) => `${piece.kind} ${name}/${piece.metadata.name} is not what it should be`),
    ...(project.spec.network?.isolation === 'None' && isolation ? [`${name} is isolated`] : []),
  ];
}

const hasKey = (
  { cluster }: TestEnvironment,
  { name, key }: { readonly name?: string; readonly key: string },
): boolean =>
  cluster
    .all(secrets)
    .some(
      ({ metadata, data }) =>
        metadata.namespace === 'core-system' && metadata.name === name && data?.[key] !== undefined,
    );

/** The states in which a project may converge, given what exists. */
function restsIn(fakes: TestEnvironment, { spec, status }: CoreProject): readonly string[] {
  const cluster = fakes.cluster.all(clusters).find(({ metadata }) => metadata.name === spec.clusterRef.name);
  const isTaken = spec.environments.some((environment) => {
    const owner = namespaceIn(fakes, `${projectName}-${environment}`)?.metadata.labels?.[label.project];
    return owner !== undefined && owner !== projectName;
  });
  if (!cluster) return ['ProvisionFailed'];
  const moved = status?.clusterRef !== undefined && status.clusterRef.name !== spec.clusterRef.name;
  const doubled = new Set(spec.environments).size < spec.environments.length;
  if (!isReady(cluster) || moved || doubled) return ['ReconcileError', 'ProvisionFailed'];
  if (isTaken) return ['ProvisionFailed'];
  // Until the project is ready for the first time, an unreadable variable is waited for.
  const waits = (spec.sharedVariables ?? []).some(({ secretRef }) => secretRef && !hasKey(fakes, secretRef));
  return ['ProjectReady', 'ProvisionFailed', ...(waits ? ['Reconciling'] : [])];
}

/** What must hold of a project under every fault: of its namespaces and their objects. */
export function projectOracle(fakes: TestEnvironment, hasUserEdits: boolean, late: boolean): Oracle {
  /** Only a user deletes a namespace that the operator did not create. */
  const given = fakes.cluster.all(namespaces).map(({ metadata }) => metadata.name);
  return {
    look: (changed) => {
      // What a leader that stood still writes late is removed once it is seen.
      if (late || (changed.kind !== 'NetworkPolicy' && changed.kind !== 'RoleBinding')) return [];
      const { namespace = '', name } = changed.metadata;
      const owner = namespaceIn(fakes, namespace)?.metadata.labels?.[label.project];
      const wrong = !hasUserEdits && madeBy(changed) && owner !== projectName;
      return wrong ? [`${changed.kind} ${namespace}/${name} stands in a namespace of ${owner ?? 'nobody'}`] : [];
    },
    atRest: () => {
      const project = projectIn(fakes);
      const made = fakes.cluster.all(namespaces).filter(madeBy);
      const kept = hasUserEdits ? [] : given.filter((name) => !namespaceIn(fakes, name));
      const gone = kept.map((name) => `the namespace ${name} was there before and is gone`);
      if (!project) {
        const left = [...made, ...fakes.cluster.all(owned.networkPolicies), ...fakes.cluster.all(owned.roleBindings)];
        return hasUserEdits
          ? []
          : [...gone, ...left.filter(madeBy).map(({ kind, metadata }) => `${kind} ${metadata.name} is left`)];
      }
      const state = stateIn(fakes);
      const right = restsIn(fakes, project);
      const deleting = project.metadata.deletionTimestamp !== undefined;
      return [
        ...gone,
        ...(deleting || right.includes(state) ? [] : [`rests in ${state}, and ${right.join(' or ')} is right`]),
        ...(deleting || state !== 'ProjectReady'
          ? []
          : project.spec.environments.flatMap((environment) => lackingIn(fakes, project, environment))),
      ];
    },
  };
}

import type { CoreProject } from '../../../crds/coreProject.ts';
import type { MissingSource } from '../../../rules/cause/missingSource.ts';
import { isReady } from '../../../rules/condition.ts';
import { environmentsStaying } from '../../../rules/project/deletion.ts';
import { namespaceOf } from '../../../rules/project/environment.ts';
import { type Terminating, terminatingOf } from '../../../rules/project/terminating.ts';
import type { ProjectObserved } from '../../../rules/projectReady/facts.ts';
import { clusters } from '../../services/cluster/kinds.ts';
import type { ActionFailed } from '../../contract/lifecycle.ts';
import { type Diff, displayName, dueOf, type Owned, overwrittenMessage } from '../../owned/owned.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { whileRead, withoutVersion } from '../../cache/whileRead.ts';
import { namespaces } from '../../services/cluster/resources.ts';
import { foundOf, namespacesSeen } from './ask.ts';
import { variablesOf } from './owned.ts';
import { remainingOf } from './observe/remaining.ts';
import { isDeleting } from '../../../rules/deleting.ts';

/** The input of an observation besides the project. */
interface ObserveInput {
  readonly reader: CacheReader;
  readonly ownedResources: Pick<Owned<CoreProject>, 'diff' | 'changes'>;
  readonly failure: ActionFailed | null;
}

const lastSeen = whileRead<ProjectObserved>();

/** Observes a project and its related objects. Of the status only this field is read. */
export function observeProject(
  project: CoreProject,
  { reader, ownedResources, failure }: ObserveInput,
): ProjectObserved {
  const { clusterRef } = project.status ?? {};
  const seen: CoreProject = {
    ...project,
    metadata: withoutVersion(project.metadata),
    status: clusterRef === undefined ? {} : { clusterRef },
  };
  const inputs = [ownedResources, ownedResources.changes(project), seen.metadata, seen.spec, clusterRef];
  const of = project.metadata.uid ?? '';
  const found = lastSeen({ of, inputs, reader }, (tracking) =>
    derivedAround(seen, tracking, ownedResources.diff(seen, tracking)),
  );
  return failure === null ? found : { ...found, failure: failureSeen(failure) };
}

const failureSeen = ({ retry: counts, message: why, on }: ActionFailed) => ({ counts, why, ...(on && { on }) });

function derivedAround(project: CoreProject, reader: CacheReader, diff: Diff): ProjectObserved {
  const { metadata, spec, status } = project;
  return {
    project: metadata.name,
    deleted: isDeleting({ metadata }),
    environments: environmentsStaying(project),
    remaining: remainingOf(project, reader),
    clusterRef: spec.clusterRef.name,
    observedClusterRef: status?.clusterRef?.name ?? '',
    cluster: clusterSeen(project, reader),
    namespaces: namespacesSeen(project, reader),
    missingPieces: dueOf(diff, diff.terminating).map(displayName),
    contested: diff.overwritten.map(overwrittenMessage),
    failure: null,
    missingVariables: missingVariables(project, reader),
    terminating: terminatingNamespaces(project, reader),
  };
}

/** The sources of shared variables that cannot be read. */
export const missingVariables = (project: CoreProject, reader: CacheReader): readonly MissingSource[] =>
  project.spec.environments.flatMap((environment) => variablesOf(project, reader, environment).missing);

const terminatingNamespaces = (project: CoreProject, reader: CacheReader): readonly Terminating[] =>
  environmentsStaying(project)
    .map((environment) => reader.get(namespaces, namespaceOf(project.metadata.name, environment)))
    .filter((namespace) => foundOf(project, namespace) === 'ending')
    .flatMap((namespace) => (namespace === undefined ? [] : [terminatingOf(namespace)]));

function clusterSeen({ spec }: CoreProject, reader: CacheReader): ProjectObserved['cluster'] {
  const cluster = reader.get(clusters, spec.clusterRef.name);
  if (!cluster) return 'absent';
  return isReady(cluster) ? 'ready' : 'notReady';
}

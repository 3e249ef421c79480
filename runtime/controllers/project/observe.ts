import type { CoreProject } from '../../../crds/coreProject.ts';
import { isReady } from '../../../rules/condition.ts';
import { environmentsStaying } from '../../../rules/project/deletion.ts';
import type { ProjectSurroundings } from '../../../rules/projectReady/facts.ts';
import { clusters } from '../../services/cluster/kinds.ts';
import type { ActionFailed } from '../../contract/lifecycle.ts';
import type { Difference, Owned } from '../../owned/owned.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { whileRead, withoutVersion } from '../../cache/whileRead.ts';
import { namespacesSeen } from './ask.ts';
import { variablesOf } from './owned.ts';
import { remainingOf } from './observe/remaining.ts';
import { isDeleting } from '../../../rules/deleting.ts';

/** What a pass knows besides the project. */
interface ObserveInput {
  readonly reader: CacheReader;
  readonly ownedResources: Pick<Owned<CoreProject>, 'difference' | 'changes'>;
  readonly failure: ActionFailed | null;
}

const lastSeen = whileRead<ProjectSurroundings>();

/** What is observed of a project and around it. Of its status no more than this field is read. */
export function observeProject(
  project: CoreProject,
  { reader, ownedResources, failure }: ObserveInput,
): ProjectSurroundings {
  const { clusterRef } = project.status ?? {};
  const seen: CoreProject = {
    ...project,
    metadata: withoutVersion(project.metadata),
    status: clusterRef === undefined ? {} : { clusterRef },
  };
  const inputs = [ownedResources, ownedResources.changes(project), seen.metadata, seen.spec, clusterRef];
  const of = project.metadata.uid ?? '';
  const found = lastSeen({ of, inputs, reader }, (tracking) =>
    derivedAround(seen, tracking, ownedResources.difference(seen, tracking)),
  );
  return failure === null ? found : { ...found, failure: { counts: failure.retry, why: failure.text } };
}

function derivedAround(project: CoreProject, reader: CacheReader, ownedResources: Difference): ProjectSurroundings {
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
    missingPieces: missingOf(ownedResources),
    contested: ownedResources.contested,
    failure: null,
    missingVariable: missingVariable(project, reader),
  };
}

/** The first shared variable that cannot be read, in words. */
export const missingVariable = (project: CoreProject, reader: CacheReader): string | null =>
  project.spec.environments
    .map((environment) => variablesOf(project, reader, environment).missing)
    .find((missing) => missing !== null) ?? null;

function clusterSeen({ spec }: CoreProject, reader: CacheReader): ProjectSurroundings['cluster'] {
  const cluster = reader.get(clusters, spec.clusterRef.name);
  if (!cluster) return 'absent';
  return isReady(cluster) ? 'ready' : 'notReady';
}

/** What is to be written now, without what is already being deleted and what another manager keeps taking back. */
function missingOf({ absent, stale, surplus, foreign, contested }: Difference): readonly string[] {
  const isContested = (called: string) => contested.some((says) => says.startsWith(`${called} `));
  return [...[...absent, ...stale].filter((called) => !isContested(called)), ...surplus, ...foreign];
}

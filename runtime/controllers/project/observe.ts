import type { CoreProject } from '../../../crds/coreProject.ts';
import { isReady } from '../../../rules/condition.ts';
import type { Fact } from '../../../rules/fact.ts';
import { environmentsStaying } from '../../../rules/project/deletion.ts';
import type { NamespaceSeen } from '../../../rules/project/namespace.ts';
import type { ProjectSurroundings } from '../../../rules/projectReady/facts.ts';
import { clusters } from '../../services/cluster/kinds.ts';
import type { ActionFailed } from '../../contract/lifecycle.ts';
import type { Difference } from '../../owned/owned.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { namespacesSeen } from './ask/namespaces.ts';
import { variablesOf } from './owned.ts';
import { remainingOf } from './observe/remaining.ts';

/** What a pass knows besides the project. */
export interface Found {
  readonly reader: CacheReader;
  readonly pieces: Difference;
  readonly failure: ActionFailed | null;
  /** The namespaces, where direct reads have determined them. */
  readonly namespaces?: Fact<readonly NamespaceSeen[]>;
}

export function surroundingsOf(
  project: CoreProject,
  { reader, pieces, failure, namespaces }: Found,
): ProjectSurroundings {
  const { metadata, spec, status } = project;
  return {
    project: metadata.name,
    deleted: metadata.deletionTimestamp !== undefined,
    environments: environmentsStaying(project),
    remaining: remainingOf(project, reader),
    clusterRef: spec.clusterRef.name,
    observedClusterRef: status?.clusterRef?.name ?? '',
    cluster: clusterSeen(project, reader),
    namespaces: namespaces ?? namespacesSeen(project, reader),
    missingPieces: missingOf(pieces),
    contested: pieces.contested,
    failure: failure && { counts: failure.weight, why: failure.text },
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

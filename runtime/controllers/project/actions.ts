import { Effect } from 'effect';
import { eachOf } from '../../contract/eachOf.ts';
import type { CoreProject } from '../../../crds/coreProject.ts';
import { isTermination } from '../../../rules/cause/failedAction.ts';
import type { ProjectReadyFacts } from '../../../rules/projectReady/facts.ts';
import { failedBy } from '../../contract/failedBy.ts';
import type { WriteError } from '../../services/cluster/cluster.ts';
import type { Acting, ActionFailed, Actions } from '../../contract/lifecycle.ts';
import { environmentsStaying } from '../../../rules/project/deletion.ts';
import { namespaceOf } from '../../../rules/project/environment.ts';
import type { ProjectReadyAction } from '../../../machines/names.ts';
import { setUpNamespaces, stillOwn } from './ask.ts';
import { unlistedNamespaces } from './owned.ts';
import type { ProjectResources } from './owned.ts';
import { unlessUnmanaged } from '../../owned/unlessUnmanaged.ts';

/** Namespaces first: nothing can be written into a missing one. */
const provision = Effect.fnUntraced(function* (
  { object: project, reader, facts }: Acting<CoreProject, ProjectReadyFacts>,
  ownedResources: ProjectResources,
) {
  const namespaces = facts.namespaces.is === 'known' ? facts.namespaces.value : [];
  const contents = stillOwn(project, unlistedNamespaces(project, reader)).pipe(
    Effect.andThen(ownedResources.reconcile(project, reader)),
    Effect.flatMap(unlessUnmanaged('provision')),
  );
  const steps = [setUpNamespaces(project, namespaces), contents];
  yield* eachOf(steps, (step) => Effect.mapError(step, failedAs));
}, Effect.asVoid);

/**
 * A retry may resolve a conflict or a missing response, but not a refusal, unless the namespace is being deleted, of
 * which the cache may not have heard yet.
 */
function failedAs(error: ActionFailed | WriteError): ActionFailed {
  if (error._tag === 'ActionFailed') return error;
  const isLasting = error._tag === 'Refused' && !isTermination({ why: error.message });
  return failedBy('provision', isLasting ? 'counted' : 'waiting', error);
}

/** The named actions of a project. */
export const projectActions = (
  ownedResources: ProjectResources,
): Actions<ProjectReadyAction, CoreProject, ProjectReadyFacts> => ({
  provision: { effect: (acting) => provision(acting, ownedResources) },
  recordEnvironments: {
    patch: ({ object: project }) => ({
      clusterRef: project.spec.clusterRef,
      environments: environmentsStaying(project).map((name) => ({
        name,
        namespace: namespaceOf(project.metadata.name, name),
      })),
    }),
  },
});

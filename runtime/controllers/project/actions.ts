import { Effect } from 'effect';
import type { CoreProject } from '../../../crds/coreProject.ts';
import type { ProjectReadyFacts } from '../../../rules/projectReady/facts.ts';
import { failedBy } from '../../contract/failedBy.ts';
import type { Acting, Actions } from '../../contract/lifecycle.ts';
import { environmentsStaying } from '../../../rules/project/deletion.ts';
import { namespaceOf } from '../../../rules/project/environment.ts';
import type { ProjectReadyAction } from '../../../machines/names.ts';
import { setUpNamespaces, stillOwn } from './ask.ts';
import { unlistedNamespaces } from './owned.ts';
import type { ProjectResources } from './owned.ts';
import { unlessUnmanaged } from '../../owned/unlessUnmanaged.ts';

/** Namespaces first: nothing can be written into a missing one. */
const provision = Effect.fnUntraced(
  function* (
    { object: project, reader, facts }: Acting<CoreProject, ProjectReadyFacts>,
    ownedResources: ProjectResources,
  ) {
    if (facts.namespaces.is === 'known') yield* setUpNamespaces(project, facts.namespaces.value);
    yield* stillOwn(project, unlistedNamespaces(project, reader));
    const outcome = yield* ownedResources.reconcile(project, reader);
    return yield* unlessUnmanaged('provision')(outcome);
  },
  Effect.asVoid,
  Effect.mapError((error) => {
    if (error._tag === 'ActionFailed') return error;
    // A retry may resolve a conflict or a missing response, but not a refusal.
    const retry = error._tag === 'Refused' ? 'counted' : 'waiting';
    return failedBy('provision', retry, error);
  }),
);

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

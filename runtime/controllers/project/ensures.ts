import { Effect } from 'effect';
import type { CoreProject } from '../../../crds/coreProject.ts';
import { projects } from '../../services/cluster/kinds.ts';
import { missingVariable, observeProject } from './observe.ts';
import { type Ensure, type Ensuring, holds } from '../../contract/ensure.ts';
import { phaseOf } from './lifecycle.ts';
import type { ProjectResources } from './owned.ts';
import { isDeleting } from '../../../rules/deleting.ts';

/** Ready does not report a variable that cannot be read; the log does (001 sharedVariables). */
export const logMissing = ({ object: project, reader }: Ensuring<CoreProject>) =>
  Effect.gen(function* () {
    const missing = missingVariable(project, reader);
    const { kind } = projects;
    const { name, deletionTimestamp } = project.metadata;
    if (missing !== null && deletionTimestamp === undefined)
      yield* Effect.logWarning('shared variable missing').pipe(Effect.annotateLogs({ kind, name, error: missing }));
    return holds;
  });

/** Reapplies periodically what another manager keeps overwriting; this does not affect Ready. */
export const reportOverwritten = (ownedResources: ProjectResources): Ensure<CoreProject> => ({
  schedule: { firstMs: 30_000, maxMs: 600_000 },
  run: (given) => {
    const { object: project, reader } = given;
    const isOverwritten =
      phaseOf(project) === 'ProjectReady' &&
      !isDeleting(project) &&
      observeProject(project, { reader, ownedResources, failure: null }).contested.length > 0;
    return isOverwritten ? ownedResources.ensure.run(given) : Effect.succeed(holds);
  },
});

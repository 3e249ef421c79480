import { Effect } from 'effect';
import type { CoreProject } from '../../../crds/coreProject.ts';
import { projects } from '../../services/cluster/kinds.ts';
import { missingVariables, observeProject } from './observe.ts';
import { type Ensure, holds } from '../../contract/ensure.ts';
import { phaseOf } from './lifecycle.ts';
import type { ProjectResources } from './owned.ts';
import { isDeleting } from '../../../rules/deleting.ts';
import { unreadMessage } from '../../../rules/project/variables.ts';
import { monotonicMs } from '../../services/monotonic.ts';

const loggedEveryMs = 1_800_000;

/**
 * Logs the shared variables that cannot be read, once when they change and then every 30 minutes: Ready does not report
 * them (001 sharedVariables).
 */
export function missingLogged(): Ensure<CoreProject> {
  const logged = new Map<string, { readonly error: string; readonly at: number }>();
  return {
    run: ({ object: project, reader }) =>
      Effect.gen(function* () {
        const { name, uid = '' } = project.metadata;
        const error = isDeleting(project) ? '' : missingVariables(project, reader).map(unreadMessage).join('; ');
        const last = logged.get(uid);
        const at = yield* monotonicMs;
        if (error === '') logged.delete(uid);
        if (error === '' || (last?.error === error && at - last.at < loggedEveryMs)) return holds;
        logged.set(uid, { error, at });
        const { kind } = projects;
        yield* Effect.logWarning('shared variable missing').pipe(Effect.annotateLogs({ kind, name, error }));
        return holds;
      }),
  };
}

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

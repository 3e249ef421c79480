import type { CoreProject } from '../../../crds/coreProject.ts';
import { findings } from '../../../rules/cause/findings.ts';
import type { Findings } from '../../../rules/cause/record.ts';
import { deletionAsked } from '../../../rules/project/deletion.ts';
import { deletionCauses } from '../../../rules/project/deletionCauses.ts';
import { causesBeside } from '../../../rules/projectReady/causes.ts';
import { projectReadyVerdicts } from '../../../rules/projectReady/ready.ts';
import type { Deriving } from '../../contract/controller.ts';
import { deletionCauseIn, refOf, worstCauseIn } from '../causes.ts';
import type { ProjectStorage } from './ask/backupStorage.ts';
import { phaseOf } from './lifecycle.ts';
import { observeProject } from './observe.ts';
import type { ProjectResources } from './owned.ts';

interface Known {
  readonly ownedResources: ProjectResources;
  readonly storage: Pick<ProjectStorage, 'causes'>;
}

/**
 * Why a project is not ready, which environments and variables it lacks, why its backup storage does not work, and
 * what its deletions wait for. Of a project that is deleted only the last, because nothing is set up any more.
 */
export const projectCauses =
  ({ ownedResources, storage }: Known) =>
  (project: CoreProject, { reader, failure }: Deriving): Findings => {
    const seen = observeProject(project, { reader, ownedResources, failure });
    const leaving = deletionCauses(seen, deletionCauseIn(reader));
    if (seen.deleted || deletionAsked(project).everything) return { found: leaving, gaveUp: false };
    const input = { self: refOf(project), copies: () => [], causeOf: worstCauseIn(reader) };
    const ofReady = findings(projectReadyVerdicts, { ...seen, reached: phaseOf(project) }, input);
    return {
      found: [...ofReady, ...causesBeside(seen, ofReady), ...storage.causes(project, reader), ...leaving],
      gaveUp: project.status?.reconcileRetry?.gaveUp === true,
    };
  };

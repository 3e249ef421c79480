import type { CoreProject } from '../../../crds/coreProject.ts';
import { findings } from '../../../rules/cause/findings.ts';
import type { Findings } from '../../../rules/cause/record.ts';
import { deletionAsked } from '../../../rules/project/deletion.ts';
import { deletionCauses } from '../../../rules/project/deletionCauses.ts';
import { causesBeside } from '../../../rules/projectReady/causes.ts';
import { projectReadyVerdicts } from '../../../rules/projectReady/ready.ts';
import { firstHeld } from '../../../rules/verdict.ts';
import type { Deriving } from '../../contract/controller.ts';
import { deletionCauseIn, refOf, worstCauseIn } from '../causes.ts';
import { oncePerPass } from '../oncePerPass.ts';
import type { ProjectStorage } from './ask/backupStorage.ts';
import { phaseOf } from './lifecycle.ts';
import { observeProject } from './observe.ts';
import type { ProjectResources } from './owned.ts';

export type ProjectVerdicts = ReturnType<typeof projectVerdicts>;

/** Finds the row of Ready that holds for a project, with the facts it holds over. */
export const projectVerdicts = (ownedResources: ProjectResources) =>
  oncePerPass((project: CoreProject, { reader, failure }: Deriving) => {
    const facts = { ...observeProject(project, { reader, ownedResources, failure }), reached: phaseOf(project) };
    return { facts, row: firstHeld('Ready', projectReadyVerdicts, facts) };
  });

interface Known {
  readonly verdicts: ProjectVerdicts;
  readonly storage: Pick<ProjectStorage, 'causes'>;
}

/**
 * Why a project is not ready, which environments and variables it lacks, why its backup storage does not work, and
 * what its deletions wait for. Of a project that is deleted only the last, because nothing is set up any more.
 */
export const projectCauses =
  ({ verdicts, storage }: Known) =>
  (project: CoreProject, deriving: Deriving): Findings => {
    const { reader } = deriving;
    const { facts, row } = verdicts(project, deriving);
    const leaving = deletionCauses(facts, deletionCauseIn(reader));
    if (facts.deleted || deletionAsked(project).everything) return { found: leaving, gaveUp: false };
    const input = { self: refOf(project), copies: () => [], causeOf: worstCauseIn(reader) };
    const ofReady = findings(projectReadyVerdicts, facts, input, row);
    return {
      found: [...ofReady, ...causesBeside(facts, ofReady), ...storage.causes(project, reader), ...leaving],
      gaveUp: project.status?.reconcileRetry?.gaveUp === true,
    };
  };

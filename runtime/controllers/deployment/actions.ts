import type { DeploymentRecordAction } from '../../../machines/names.ts';
import type { CoreDeployment } from '../../../crds/coreDeployment.ts';
import type { DeploymentRecordFacts } from '../../../rules/deploymentRecord/facts.ts';
import { isoTime } from '../../../rules/time.ts';
import type { Acting, Actions, Fields } from '../../contract/lifecycle.ts';

function record({ facts: { deployedAt } }: Acting<CoreDeployment, DeploymentRecordFacts>): Fields {
  const at = deployedAt === null ? null : isoTime(deployedAt);
  return { startedAt: at, completedAt: at };
}

/** The named actions of a record. */
export const actions: Actions<DeploymentRecordAction, CoreDeployment, DeploymentRecordFacts> = {
  record: { patch: record },
};

import { Effect } from 'effect';
import type { CoreDeployment } from '../../../crds/coreDeployment.ts';
import { annotation, label } from '../../../crds/names.ts';
import { deploymentRecord as machine } from '../../../machines/deploymentRecord.ts';
import type { DeploymentRecordEvent, DeploymentRecordState } from '../../../machines/names.ts';
import { tables } from '../../../machines/tables.ts';
import { deploymentRecordEvents } from '../../../rules/deploymentRecord/events.ts';
import type { DeploymentRecordFacts } from '../../../rules/deploymentRecord/facts.ts';
import { newerRecords } from '../../../rules/deploymentRecord/newer.ts';
import { type Absence, byState } from '../../../rules/engine.ts';
import { unknown } from '../../../rules/fact.ts';
import { msOf } from '../../../rules/time.ts';
import { lifecycle } from '../../contract/lifecycle.ts';
import { ensures, recordsOf } from './ensures.ts';
import { actions } from './actions.ts';

/** The time of the deploy in ms; null when the record does not state it. */
function momentOf({ metadata }: CoreDeployment): number | null {
  const at = msOf(metadata.annotations?.[annotation.deployedAt] ?? '');
  return Number.isNaN(at) ? null : at;
}

/** Any phase, or none, counts as recorded, unless the time is not written yet. */
const stateOf = (record: CoreDeployment): DeploymentRecordState | Absence =>
  (record.status?.phase ?? '') === '' && momentOf(record) !== null ? '(none)' : 'Recorded';

/** The machine of a record. */
export const recordLifecycle = lifecycle<
  CoreDeployment,
  DeploymentRecordFacts,
  DeploymentRecordState,
  DeploymentRecordEvent['type']
>({
  name: 'deploymentRecord',
  storage: 'status',
  machine,
  ...tables.deploymentRecord,
  rules: byState(deploymentRecordEvents),
  retrying: () => false,
  read: stateOf,
  write: (to) => ({ phase: to }),
  shown: () => 'Recorded',
  observe: (object, reader, { now }) => {
    const app = object.metadata.labels?.[label.app] ?? '';
    const deployedAt = momentOf(object);
    return { now, app, deployedAt, newer: newerRecords(object, recordsOf(app, reader)) };
  },
  ask: () => Effect.succeed(unknown('nothing is asked for')),
  actions,
  ensures,
});

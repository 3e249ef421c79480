import { Effect } from 'effect';
import type { CoreApp } from '../../../crds/coreApp.ts';
import type { CoreDeployment } from '../../../crds/coreDeployment.ts';
import { annotation, label } from '../../../crds/names.ts';
import { deploymentRecord as machine } from '../../../machines/deploymentRecord.ts';
import type {
  DeploymentRecordAction,
  DeploymentRecordEnsure,
  DeploymentRecordEvent,
  DeploymentRecordState,
} from '../../../machines/names.ts';
import { tables } from '../../../machines/tables.ts';
import { isActive } from '../../../rules/activeDeployment/name.ts';
import { deploymentRecordEvents } from '../../../rules/deploymentRecord/events.ts';
import type { DeploymentRecordFacts } from '../../../rules/deploymentRecord/facts.ts';
import { newerRecords } from '../../../rules/deploymentRecord/newer.ts';
import { type Absence, byState } from '../../../rules/engine.ts';
import { unknown } from '../../../rules/fact.ts';
import { isoTime, msOf } from '../../../rules/time.ts';
import { apps, deployments } from '../../services/cluster/kinds.ts';
import { type Acting, type Fields, lifecycle, type Actions } from '../../contract/lifecycle.ts';
import { isLeftOver, recordsOf, removeLeftOver, removeOutlived } from './ensures.ts';
import type { Ensure } from '../../contract/ensure.ts';
import { type Controller, controller, watching } from '../../contract/controller.ts';

/** The records of deploys: each is announced once, and the newest of a service are kept. */
export function deploymentRecordController(): Controller {
  return controller<CoreDeployment>({
    resource: deployments,
    name: 'deploymentRecord',
    owns: (name) => !isActive(name),
    lifecycles: [life],
    watches: [
      watching<CoreApp>({
        resource: apps,
        reads: ({ metadata }) => metadata.annotations?.[annotation.adopt],
        concerns: ({ metadata: { name } }, reader) => {
          const app = reader.get(apps, name);
          return recordsOf(name, reader)
            .filter((record) => isLeftOver(record, app))
            .map(({ metadata }) => metadata.name);
        },
      }),
    ],
    ensures: {},
  });
}

/** The moment of the deploy, in ms; null on a record that does not say it. */
function momentOf({ metadata }: CoreDeployment): number | null {
  const at = msOf(metadata.annotations?.[annotation.deployedAt] ?? '');
  return Number.isNaN(at) ? null : at;
}

/** Any phase, or none, counts as recorded, except for a record whose moment is still to be written. */
const stateOf = (record: CoreDeployment): DeploymentRecordState | Absence =>
  (record.status?.phase ?? '') === '' && momentOf(record) !== null ? '(none)' : 'Recorded';

function record({ facts: { deployedAt } }: Acting<CoreDeployment, DeploymentRecordFacts>): Fields {
  const at = deployedAt === null ? null : isoTime(deployedAt);
  return { startedAt: at, completedAt: at };
}

const ensures: Readonly<Record<DeploymentRecordEnsure, Ensure<CoreDeployment>>> = {
  newestTwelve: { run: removeOutlived },
  ownService: { run: removeLeftOver },
};

const actions: Actions<DeploymentRecordAction, CoreDeployment, DeploymentRecordFacts> = { record: { patch: record } };

const life = lifecycle<CoreDeployment, DeploymentRecordFacts, DeploymentRecordState, DeploymentRecordEvent['type']>({
  name: 'deploymentRecord',
  kept: 'status',
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

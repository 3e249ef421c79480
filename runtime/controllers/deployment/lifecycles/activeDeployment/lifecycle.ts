import { Effect } from 'effect';
import type { CoreDeployment } from '../../../../../crds/coreDeployment.ts';
import { activeDeployment as machine } from '../../../../../machines/activeDeployment.ts';
import type { ActiveDeploymentEvent, ActiveDeploymentState } from '../../../../../machines/names.ts';
import { tables } from '../../../../../machines/tables.ts';
import { activeDeploymentEvents } from '../../../../../rules/activeDeployment/events.ts';
import type { ActiveDeploymentFacts } from '../../../../../rules/activeDeployment/facts.ts';
import { health } from '../../../../../rules/activeDeployment/health.ts';
import { appOfActive } from '../../../../../rules/activeDeployment/name.ts';
import { type Absence, byState } from '../../../../../rules/engine.ts';
import { unknown } from '../../../../../rules/fact.ts';
import { messageOf } from '../../../../../rules/verdict.ts';
import type { CacheReader } from '../../../../cache/reader.ts';
import { apps } from '../../../../services/cluster/kinds.ts';
import { type Acting, type Fields, lifecycle } from '../../../../contract/lifecycle.ts';
import { whatRuns } from '../../observe.ts';

export const appOf = ({ metadata }: CoreDeployment, reader: CacheReader) =>
  reader.get(apps, appOfActive(metadata.name));

/** Without a phase, the first move has not happened. */
function stateOf({ status }: CoreDeployment): ActiveDeploymentState | Absence {
  const phase = status?.phase ?? '';
  if (phase === '') return '(none)';
  return phase === 'Available' ? 'Available' : 'RollingOut';
}

type Acts = Acting<CoreDeployment, ActiveDeploymentFacts>;

const updateStatus = ({ facts: { workload, asleep } }: Acts): Fields =>
  workload === null
    ? {}
    : { healthCheck: messageOf('Health', health, { ...workload, asleep }), availableReplicas: workload.available };

/** The machine of the record of what runs. */
export const activeLifecycle = lifecycle<
  CoreDeployment,
  ActiveDeploymentFacts,
  ActiveDeploymentState,
  ActiveDeploymentEvent['type']
>({
  name: 'activeDeployment',
  storage: 'status',
  machine,
  ...tables.activeDeployment,
  rules: byState(activeDeploymentEvents),
  retrying: () => false,
  read: stateOf,
  write: (to) => ({ phase: to }),
  shown: ({ status }) => status?.phase ?? 'RollingOut',
  observe: (record, reader, { now }) => ({ now, ...whatRuns(appOf(record, reader), reader) }),
  ask: () => Effect.succeed(unknown('nothing is asked for')),
  // The object is created by the controller of the service, and its spec is updated before a pass decides.
  actions: { createRecord: {}, updateRecord: {}, updateStatus: { patch: updateStatus } },
  ensures: {},
});

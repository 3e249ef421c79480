import { Effect } from 'effect';
import type { CoreDeployment } from '../../../../../crds/coreDeployment.ts';
import { label } from '../../../../../crds/names.ts';
import { activeDeployment as machine } from '../../../../../machines/activeDeployment.ts';
import type { ActiveDeploymentEvent, ActiveDeploymentState } from '../../../../../machines/names.ts';
import { tables } from '../../../../../machines/tables.ts';
import { activeDeploymentEvents } from '../../../../../rules/activeDeployment/events.ts';
import type { ActiveDeploymentFacts } from '../../../../../rules/activeDeployment/facts.ts';
import { health } from '../../../../../rules/activeDeployment/health.ts';
import { activeName, appOfActive, isActive } from '../../../../../rules/activeDeployment/name.ts';
import { type Absence, byState } from '../../../../../rules/engine.ts';
import { unknown } from '../../../../../rules/fact.ts';
import { messageOf } from '../../../../../rules/verdict.ts';
import type { CacheReader } from '../../../../cache/reader.ts';
import { apps, deployments } from '../../../../services/cluster/kinds.ts';
import { type Acting, type Fields, lifecycle } from '../../../../contract/lifecycle.ts';
import { owned } from '../../../../owned/owned.ts';
import { isEmpty, mergePatchOf } from '../../../../step/mergePatch.ts';
import { everyChange } from '../../../../contract/reads.ts';
import { gateOf, specOf } from '../../../../../rules/service/deployed.ts';
import { activeRecordOf, whatRuns } from '../../observe.ts';
import { type Controller, controller, watching } from '../../../../contract/controller.ts';

/** The records of what runs of the services: their spec and status follow the Deployments. */
export function activeDeploymentController(): Controller {
  return controller<CoreDeployment>({
    resource: deployments,
    name: 'activeDeployment',
    owns: isActive,
    lifecycles: [life],
    watches: [
      watching({
        resource: apps,
        reads: (app) => [specOf(app), gateOf(app), app.metadata.deletionTimestamp, app.status?.resolvedImage],
        concerns: ({ metadata }) => [activeName(metadata.name)],
      }),
      watching({
        resource: owned.deployments,
        reads: everyChange,
        concerns: ({ metadata: { labels } }) =>
          labels?.[label.kind] === 'CoreApp' ? [activeName(labels[label.name] ?? '')] : [],
      }),
    ],
    ensures: {},
    adopt: broughtUpToDate,
  });
}

const appOf = ({ metadata }: CoreDeployment, reader: CacheReader) => reader.get(apps, appOfActive(metadata.name));

/** What differs from the record as it should be; null where nothing does, or nothing is to be recorded. */
function broughtUpToDate(record: CoreDeployment, reader: CacheReader): Fields | null {
  const app = appOf(record, reader);
  const wanted = app && activeRecordOf(app, reader, record);
  if (!wanted) return null;
  const { labels = {}, ownerReferences = [] } = record.metadata;
  const others = Object.fromEntries(Object.entries(labels).filter(([name]) => name !== label.app));
  const patch = mergePatchOf(
    { spec: record.spec, metadata: { labels, ownerReferences } },
    {
      spec: wanted.spec,
      metadata: {
        labels: { ...others, ...wanted.metadata.labels },
        ownerReferences: wanted.metadata.ownerReferences ?? [],
      },
    },
  );
  return isEmpty(patch) ? null : patch;
}

/** Without a phase the first move is still to come. */
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

const life = lifecycle<CoreDeployment, ActiveDeploymentFacts, ActiveDeploymentState, ActiveDeploymentEvent['type']>({
  name: 'activeDeployment',
  kept: 'status',
  machine,
  ...tables.activeDeployment,
  rules: byState(activeDeploymentEvents),
  retrying: () => false,
  read: stateOf,
  write: (to) => ({ phase: to }),
  shown: ({ status }) => status?.phase ?? 'RollingOut',
  observe: (record, reader, { now }) => ({ now, ...whatRuns(appOf(record, reader), reader) }),
  ask: () => Effect.succeed(unknown('nothing is asked for')),
  // The object is created by the controller of the service, and its spec is brought up to date before a pass decides.
  actions: { createRecord: {}, updateRecord: {}, updateStatus: { patch: updateStatus } },
  ensures: {},
});

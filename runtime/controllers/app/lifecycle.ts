import type { CoreApp } from '../../../crds/coreApp.ts';
import { servicePhases } from '../../../crds/serviceStates.ts';
import type { ServiceAction, ServiceEvent, ServiceState } from '../../../machines/names.ts';
import { service as machine } from '../../../machines/service.ts';
import { tables } from '../../../machines/tables.ts';
import { isDeleting } from '../../../rules/deleting.ts';
import { revisionOf } from '../../../rules/draftDeploy/stored.ts';
import { byState } from '../../../rules/engine.ts';
import { known, unasked } from '../../../rules/fact.ts';
import { gateOf, specOf } from '../../../rules/service/deployed.ts';
import { seenIn, serviceEvents } from '../../../rules/service/events.ts';
import type { ServiceFacts, ServiceSeen } from '../../../rules/service/facts.ts';
import { blockers } from '../../../rules/service/blockers.ts';
import { serviceOutcome, serviceReady } from '../../../rules/service/ready.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { deployOf } from '../provisioned/draftDeploy.ts';
import { noWorkload } from '../provisioned/ensures.ts';
import type { ProvisionedParts, ProvisionedTypes } from '../provisioned/kind.ts';
import { provisioned } from '../provisioned/lifecycle.ts';
import { serviceActions } from './actions.ts';
import { askRemains } from './ask.ts';
import { listed } from './ensures/records.ts';
import { causesBesideReady } from './observe/causes.ts';
import { copiesOf, newestPods } from './observe/copies.ts';
import { overwrittenOf, deployCapacity, observeService } from './observe.ts';
import { imageThatRuns, isNewDeploy } from './observe/deploy.ts';
import { buildOfSettings } from './observe/source.ts';
import type { ServiceResources } from './owned.ts';

interface ServiceTypes extends ProvisionedTypes {
  readonly object: CoreApp;
  readonly facts: ServiceFacts;
  readonly seen: ServiceSeen;
  readonly beside: object;
  readonly state: ServiceState;
  readonly event: ServiceEvent['type'];
  readonly action: ServiceAction;
  readonly refAction: 'startAttempt' | 'attachBuild';
}

/** The deploys of a service; a deploy starts with its image. */
export const deploy = deployOf<CoreApp>({
  kind: 'service',
  room: deployCapacity,
  records: listed,
  isNew: isNewDeploy,
  takeUp: (app, reader) => ({ deployRevision: revisionOf(app), takenUpImage: imageThatRuns(app, reader) }),
});

const buildRefOf = (app: CoreApp, reader: CacheReader): string =>
  buildOfSettings({ ...app, spec: specOf(app) }, reader)?.metadata.name ?? '';

/** The machine of running a service: follows its gate and counted failures, and applies the running spec. */
export const serviceProvisioned = (ownedResources: ServiceResources): ProvisionedParts<ServiceTypes> =>
  provisioned<ServiceTypes>({
    machine: { name: 'service', machine, ...tables.service, rules: byState(serviceEvents) },
    states: servicePhases,
    deletionPhases: { Deleting: 'deletion' },
    deploy,
    observe: (app, observing) => observeService(app, { ...observing, ownedResources }),
    facts: (app, { seen: { gate, ...around } }) => ({
      deleted: isDeleting(app),
      gate,
      around: known(around),
      remains: unasked,
    }),
    seenIn,
    ask: (_, app) => askRemains(app, ownedResources),
    blockers: blockers,
    ready: serviceReady,
    outcome: serviceOutcome,
    beside: () => ({}),
    pods: newestPods,
    copies: (app, _, deriving) => copiesOf(app, deriving),
    moreCauses: (app, seen, { reader }) => causesBesideReady(app, seen, { reader, ownedResources }),
    firstError: 'whenCounted',
    refs: {
      startAttempt: ({ object, reader }) => ({
        buildRef: buildRefOf(object, reader),
        deploymentRef: revisionOf(object),
      }),
      attachBuild: ({ object, reader }) => ({ buildRef: buildRefOf(object, reader) }),
    },
    actions: serviceActions(ownedResources),
    ensures: { noWorkload: noWorkload(ownedResources) },
    owned: {
      settled: ownedResources.settled,
      reapply: {
        isOverwritten: (app, reader) => overwrittenOf(app, { reader, ownedResources, gate: gateOf(app) }).length > 0,
        apply: ownedResources.apply,
      },
    },
  });

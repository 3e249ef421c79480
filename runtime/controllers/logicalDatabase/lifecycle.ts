import { type CoreLogicalDatabase, logicalDatabasePhases } from '../../../crds/coreLogicalDatabase.ts';
import { logicalDatabase as machine } from '../../../machines/logicalDatabase.ts';
import type { LogicalDatabaseAction, LogicalDatabaseEvent, LogicalDatabaseState } from '../../../machines/names.ts';
import { tables } from '../../../machines/tables.ts';
import type { DatabaseImages } from '../../../rules/database/images.ts';
import { isDeleting } from '../../../rules/deleting.ts';
import { byState } from '../../../rules/engine.ts';
import { known, unasked } from '../../../rules/fact.ts';
import { logicalDatabaseEvents, seenIn } from '../../../rules/logicalDatabase/events.ts';
import type { LogicalDatabaseFacts, LogicalDatabaseObserved } from '../../../rules/logicalDatabase/facts.ts';
import { logicalBlockers } from '../../../rules/logicalDatabase/blockers.ts';
import { logicalDatabaseOutcome, logicalDatabaseReady } from '../../../rules/logicalDatabase/ready.ts';
import { makeDeletions } from '../provisioned/deletion.ts';
import type { ProvisionedParts, ProvisionedTypes } from '../provisioned/kind.ts';
import { provisioned } from '../provisioned/lifecycle.ts';
import { logicalActions } from './actions.ts';
import { askServer } from './ask.ts';
import { logicalFinalizer } from './controller/finalizer.ts';
import { creatingPods, deletionOf, jobSeen } from './observe/causes.ts';
import { observeLogicalDatabase } from './observe.ts';
import { placedOn } from './observe/server.ts';
import { type LogicalDatabaseResources, secretsOf } from './owned.ts';
import { noOtherJob, runOf } from './owned/jobs.ts';
import { loginIn } from './owned/login.ts';

interface LogicalDatabaseTypes extends ProvisionedTypes {
  readonly object: CoreLogicalDatabase;
  readonly facts: LogicalDatabaseFacts;
  readonly seen: LogicalDatabaseObserved;
  readonly beside: object;
  readonly state: LogicalDatabaseState;
  readonly event: LogicalDatabaseEvent['type'];
  readonly action: LogicalDatabaseAction;
  readonly refAction: never;
}

/** The machine of a logical database on its server: follows its counted failures. */
export function logicalProvisioned(
  ownedResources: LogicalDatabaseResources,
  images: DatabaseImages,
): ProvisionedParts<LogicalDatabaseTypes> {
  const deletions = makeDeletions();
  return provisioned<LogicalDatabaseTypes>({
    machine: { name: 'logicalDatabase', machine, ...tables.logicalDatabase, rules: byState(logicalDatabaseEvents) },
    states: logicalDatabasePhases,
    deletionPhases: { Deleting: 'deletion' },
    observe: (logical, { reader, failure }) => observeLogicalDatabase(logical, { reader, ownedResources, failure }),
    facts: (logical, { input, seen }) => ({
      deletedAt: deletions.since(logical, input),
      attempt: runOf(logical, 'create'),
      finalizer: logical.metadata.finalizers?.includes(logicalFinalizer) === true,
      around: known(seen),
      createJobLeft: unasked,
      dropJob: unasked,
    }),
    seenIn,
    ask: askServer,
    forget: deletions.forget,
    blockers: logicalBlockers,
    ready: logicalDatabaseReady,
    outcome: logicalDatabaseOutcome,
    beside: () => ({}),
    pods: creatingPods,
    job: (logical, role, deriving) => (role === 'create' ? jobSeen(logical, role, deriving) : undefined),
    moreCauses: (logical, _, deriving) => (isDeleting(logical) ? deletionOf(logical, ownedResources, deriving) : []),
    firstError: 'withAttempt',
    refs: {},
    actions: logicalActions(ownedResources, images),
    ensures: { noConnection: ownedResources.deleteAll, noOtherJob: { run: noOtherJob } },
    owned: {
      settled: ownedResources.settled,
      reapply: {
        isOverwritten: (logical, reader) => ownedResources.diff(logical, reader).overwritten.length > 0,
        apply: (logical, reader) => {
          const placed = placedOn(logical, reader);
          const login = placed && loginIn(logical, placed, reader);
          return placed && login && ownedResources.reconcile(logical, reader, secretsOf(logical, placed, login));
        },
      },
    },
  });
}

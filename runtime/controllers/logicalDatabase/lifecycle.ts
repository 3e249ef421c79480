import { Effect } from 'effect';
import { type CoreLogicalDatabase, logicalDatabasePhases } from '../../../crds/coreLogicalDatabase.ts';
import { logicalDatabase as machine } from '../../../machines/logicalDatabase.ts';
import type { LogicalDatabaseEvent, LogicalDatabaseState } from '../../../machines/names.ts';
import { tables } from '../../../machines/tables.ts';
import type { DatabaseImages } from '../../../rules/database/images.ts';
import { type Absence, byState } from '../../../rules/engine.ts';
import { type Fact, known, unasked, unknown } from '../../../rules/fact.ts';
import { logicalDatabaseEvents } from '../../../rules/logicalDatabase/events.ts';
import type { LogicalDatabaseFacts } from '../../../rules/logicalDatabase/facts.ts';
import type { RetrySeen } from '../../../rules/provisionRetry/facts.ts';
import { type AnyLifecycle, lifecycle } from '../../contract/lifecycle.ts';
import type { Cluster, ReadError } from '../../services/cluster/cluster.ts';
import { why } from '../../services/why.ts';
import { makeDeletions } from '../provisioned/deletion.ts';
import { logicalActions } from './actions.ts';
import { dropJobSeen, isCreateJobLeft, noOtherJob, runOf } from './owned/jobs.ts';
import { logicalFinalizer } from './controller/finalizer.ts';
import type { LogicalPieces } from './owned.ts';
import { placedOn } from './observe/server.ts';
import { logicalSeen } from './observe.ts';
import { isDeleting } from '../../../rules/deleting.ts';

/** The lens. Nothing is dropped for what is not being deleted, whatever its status says. */
export function logicalPhase({ metadata, status }: CoreLogicalDatabase): LogicalDatabaseState | Absence {
  const phase = status?.phase ?? '';
  if (phase === 'Deleting' && !isDeleting({ metadata })) return 'Provisioning';
  return logicalDatabasePhases.find((one) => one === phase) ?? '(none)';
}

/** Before the object exists, no other machine of it has stepped. */
const nothingTried: RetrySeen = { state: 'Clean', event: null };

/** Whether a logical database exists on its server; follows its row of failures. */
export function logicalProvisioned(pieces: LogicalPieces, images: DatabaseImages): AnyLifecycle {
  const deletions = makeDeletions();
  return lifecycle<CoreLogicalDatabase, LogicalDatabaseFacts, LogicalDatabaseState, LogicalDatabaseEvent['type']>({
    name: 'logicalDatabase',
    kept: 'status',
    machine,
    ...tables.logicalDatabase,
    rules: byState(logicalDatabaseEvents),
    retrying: (logical) =>
      logicalPhase(logical) === 'Provisioning' && (logical.status?.reconcileRetry?.reconcileFailures ?? 0) > 0,
    read: logicalPhase,
    write: (to) => ({ phase: to }),
    shown: ({ status }) => status?.phase ?? 'Provisioning',
    observe: (logical, reader, moment) => {
      const { now, failure, others } = moment;
      const { finalizers = [] } = logical.metadata;
      return {
        now,
        deletedAt: deletions.since(logical, moment),
        retry: (others['provisionRetry'] as RetrySeen | undefined) ?? nothingTried,
        attempt: runOf(logical, 'create'),
        finalizer: finalizers.includes(logicalFinalizer),
        around: known(logicalSeen(logical, { reader, pieces, failure })),
        createJobLeft: unasked,
        dropJob: unasked,
      };
    },
    ask: (fact, logical, reader) => {
      const placed = placedOn(logical, reader);
      if (placed === null) return Effect.succeed(unknown('the database server is gone'));
      const asked: Effect.Effect<unknown, ReadError, Cluster> =
        fact === 'createJobLeft' ? isCreateJobLeft(logical, placed) : dropJobSeen(logical, placed);
      return Effect.match(asked, {
        onSuccess: (value): Fact<unknown> => known(value),
        onFailure: (error): Fact<unknown> => unknown(why(error)),
      });
    },
    forget: deletions.forget,
    actions: logicalActions(pieces, images),
    ensures: { noConnection: pieces.deleteAll, noOtherJob: { run: noOtherJob } },
  });
}

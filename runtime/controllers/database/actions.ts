import { Effect } from 'effect';
import type { CoreDatabase } from '../../../crds/coreDatabase.ts';
import type { DatabaseAction } from '../../../machines/names.ts';
import { connectionSecretName } from '../../../rules/database/connection.ts';
import { specOf } from '../../../rules/database/deployed.ts';
import { namespaceOf } from '../../../rules/database/effective.ts';
import type { DatabaseImages } from '../../../rules/database/images.ts';
import type { DatabaseFacts } from '../../../rules/database/facts.ts';
import { runningSpec } from '../../../rules/draftDeploy/running.ts';
import { retryOf } from '../../../rules/provision/weight.ts';
import { failedBy } from '../../contract/failedBy.ts';
import { ActionFailed, type Acting } from '../../contract/lifecycle.ts';
import type { Gone, WriteError } from '../../services/cluster/cluster.ts';
import { type AllResources, remainingOf } from './ask.ts';
import { startFinalBackup } from './actions/finalBackup.ts';
import { unretiredOf } from './actions/release.ts';
import { discardRestore, findTarget, startRestore } from './actions/restore.ts';
import type { CloudFailed } from '../../services/cloud.ts';
import type { AttemptAction, OwnActions } from '../provisioned/actions.ts';
import { untilRightsHold } from '../provisioned/rights.ts';
import { reachedAt, settledLogin } from './owned/login.ts';
import { installOperator } from './actions/operator.ts';
import type { DatabaseResources } from './owned.ts';
import { growClaims, removeClaims, removedVolumes } from './owned/volumes.ts';
import { unlessUnmanaged } from '../../owned/unlessUnmanaged.ts';

type Acts = Acting<CoreDatabase, DatabaseFacts>;

/** A call without a response or with a conflict may succeed later; a refused one is permanent or counted. */
export const failedAs = (action: string) => (error: WriteError | Gone | ActionFailed | CloudFailed) => {
  if (error._tag === 'ActionFailed') return error;
  if (error._tag === 'CloudFailed')
    return new ActionFailed({
      action,
      retry: 'counted',
      message: `The backup storage is not available: ${error.message}`,
    });
  return failedBy(action, retryOf(error), error);
};

/** Applies a part of the running spec, once its login and its volumes allow it. */
const applying = (action: string, apply: DatabaseResources['applyAll'], { ownedResources, images }: Applying) =>
  Effect.fnUntraced(
    function* ({ object, reader, facts }: Acts) {
      const spec = runningSpec(facts.gate, object);
      if (spec === null) return undefined;
      yield* removedVolumes(object, spec, reader);
      const login = yield* settledLogin(object, spec, reader);
      if (spec.engine === 'Postgres' && spec.placement !== 'External') yield* installOperator(reader, images);
      yield* findTarget(object, reader, ownedResources.targets);
      yield* apply(object, reader, { spec, login }).pipe(
        untilRightsHold(action, namespaceOf(spec), reader),
        Effect.flatMap(unlessUnmanaged(action)),
      );
      yield* growClaims(object, spec, reader);
      return undefined;
    },
    Effect.mapError(failedAs(action)),
  );

interface Applying {
  readonly ownedResources: DatabaseResources;
  readonly images: DatabaseImages;
}

const deleteWorkload = ({ ownedResources, backups }: AllResources) =>
  Effect.fnUntraced(
    function* ({ object, reader }: Acts) {
      yield* ownedResources.remove(object, reader);
      yield* backups.remove(object, reader);
      yield* removeClaims(object, reader);
      // After this the object is deleted, and leftovers would stay.
      if (object.status?.phase !== 'FinalBackup') return;
      const left = yield* remainingOf(object, reader, { ownedResources, backups }).pipe(
        Effect.catchTag('Gone', () => Effect.succeed(['the rest'])),
      );
      if (left.length > 0)
        yield* new ActionFailed({
          action: 'deleteWorkload',
          retry: 'waiting',
          message: `${left.join(', ')} is still being deleted`,
        });
    },
    Effect.mapError(failedAs('deleteWorkload')),
  );

const retireArchive = Effect.fnUntraced(
  function* ({ object }: Acts) {
    const [first] = yield* unretiredOf(object);
    if (first !== undefined)
      yield* new ActionFailed({ action: 'retireArchive', retry: 'waiting', message: `${first} is being retired` });
  },
  Effect.mapError(failedAs('retireArchive')),
);

const hostOf = ({ object, facts, reader }: Acts) => {
  const spec = specOf(object, facts.gate);
  return {
    host: reachedAt(object, spec, reader),
    connectionSecret: connectionSecretName(object.metadata.name),
    targetNamespace: namespaceOf(spec),
  };
};

/** The named actions of a database. */
export function databaseActions(
  { ownedResources, backups }: AllResources,
  images: DatabaseImages,
): OwnActions<Exclude<DatabaseAction, AttemptAction>, CoreDatabase, DatabaseFacts> {
  const given = { ownedResources, images };
  return {
    applyWorkload: { effect: applying('applyWorkload', ownedResources.applyWorkload, given) },
    writeConnection: { effect: applying('writeConnection', ownedResources.applyAll, given) },
    deleteWorkload: { effect: deleteWorkload({ ownedResources, backups }) },
    recordHost: { patch: hostOf },
    recordRestored: { patch: ({ at }) => ({ restoredAt: at }) },
    startFinalBackup: {
      effect: ({ object, reader }: Acts) =>
        startFinalBackup(object, reader, images).pipe(Effect.mapError(failedAs('startFinalBackup'))),
    },
    createRestoreJob: {
      effect: ({ object, reader }: Acts) =>
        startRestore(object, reader, images).pipe(Effect.mapError(failedAs('createRestoreJob'))),
    },
    discardRestore: {
      effect: ({ object, reader }: Acts) =>
        discardRestore(object, reader, ownedResources.discarded).pipe(Effect.mapError(failedAs('discardRestore'))),
    },
    retireArchive: { effect: retireArchive },
  };
}

import { Effect } from 'effect';
import type { CoreDatabase } from '../../../crds/coreDatabase.ts';
import { databasePhases } from '../../../crds/databaseStates.ts';
import { database as machine } from '../../../machines/database.ts';
import type { DatabaseAction, DatabaseEvent, DatabaseState } from '../../../machines/names.ts';
import { tables } from '../../../machines/tables.ts';
import { gateOf, specOf } from '../../../rules/database/deployed.ts';
import { databaseEvents, seenIn } from '../../../rules/database/events.ts';
import type { DatabaseFacts, DatabaseSeen } from '../../../rules/database/facts.ts';
import { blockers } from '../../../rules/database/blockers.ts';
import type { DatabaseImages } from '../../../rules/database/images.ts';
import { databaseOutcome, databaseReady, type DatabaseStanding } from '../../../rules/database/ready.ts';
import { isDeleting } from '../../../rules/deleting.ts';
import { byState } from '../../../rules/engine.ts';
import { known, unasked } from '../../../rules/fact.ts';
import type { Ensure } from '../../contract/ensure.ts';
import { finalBackupSeen } from '../backupArchive/read.ts';
import type { Deletions } from '../provisioned/deletion.ts';
import { deployOf } from '../provisioned/draftDeploy.ts';
import { noWorkload } from '../provisioned/ensures.ts';
import type { ProvisionedParts, ProvisionedTypes } from '../provisioned/kind.ts';
import { provisioned } from '../provisioned/lifecycle.ts';
import { databaseActions } from './actions.ts';
import { askRemaining } from './ask.ts';
import type { BackupResources } from './lifecycles/databaseBackup/owned.ts';
import { observeDatabase } from './observe.ts';
import { backupCausesOf } from './observe/backups.ts';
import { deployCapacity } from './observe/capacity.ts';
import { deletionOf, jobOf } from './observe/causes.ts';
import { copiesOf } from './observe/copies.ts';
import { podsReported } from './observe/podsReported.ts';
import type { DatabaseResources } from './owned.ts';
import { loginOf } from './owned/login.ts';
import { removeClaims } from './owned/volumes.ts';

interface DatabaseTypes extends ProvisionedTypes {
  readonly object: CoreDatabase;
  readonly facts: DatabaseFacts;
  readonly seen: DatabaseSeen;
  readonly beside: Pick<DatabaseStanding, 'provisioned'>;
  readonly state: DatabaseState;
  readonly event: DatabaseEvent['type'];
  readonly action: DatabaseAction;
  readonly refAction: never;
}

interface Parts {
  readonly ownedResources: DatabaseResources;
  readonly backups: BackupResources;
  readonly deletions: Deletions;
}

/** The deploys of a database. */
export const deploy = deployOf<CoreDatabase>({ kind: 'database', room: deployCapacity });

/** The machine of running a database: follows its gate and counted failures, and alone applies the running spec. */
export const databaseProvisioned = (
  { ownedResources, backups, deletions }: Parts,
  images: DatabaseImages,
): ProvisionedParts<DatabaseTypes> =>
  provisioned<DatabaseTypes>({
    machine: { name: 'database', machine, ...tables.database, rules: byState(databaseEvents) },
    states: databasePhases,
    deletionPhases: { FinalBackup: 'lastBackup', Deleting: 'deletion' },
    deploy,
    observe: (database, observing) => observeDatabase(database, { ...observing, ownedResources }),
    facts: (database, { reader, input, seen: { wanted, restore, gate, ...around } }) => ({
      deletedAt: deletions.since(database, input),
      gate,
      wanted,
      restore,
      around: known(around),
      finalBackup: known(finalBackupSeen(database, reader)),
      remains: unasked,
    }),
    seenIn,
    ask: (_, database, reader) => askRemaining(database, reader, { ownedResources, backups }),
    forget: deletions.forget,
    blockers: blockers,
    ready: databaseReady,
    outcome: databaseOutcome,
    // Once given up, only its causes are derived further: whether any of them is left.
    beside: (_, state) => ({ provisioned: state === 'Ready' || state === 'ProvisionFailed' }),
    pods: podsReported,
    copies: (database, { gate }, deriving) => copiesOf(database, specOf(database, gate), deriving),
    job: jobOf,
    moreCauses: (database, _, deriving) =>
      isDeleting(database) ? deletionOf(database, ownedResources, deriving) : backupCausesOf(database, deriving),
    firstError: 'withAttempt',
    refs: {},
    actions: databaseActions({ ownedResources, backups }, images),
    ensures: { noWorkload: withoutBackups(withoutClaims(noWorkload(ownedResources)), backups) },
    owned: {
      settled: ownedResources.settled,
      reapply: {
        isOverwritten: (database, reader) =>
          ownedResources.diff(database, reader, gateOf(database)).overwritten.length > 0,
        apply: (database, reader) => {
          const spec = specOf(database, gateOf(database));
          const login = loginOf(database, spec, reader);
          return login && ownedResources.applyAll(database, reader, { spec, login });
        },
      },
    },
  });

/** Also deletes the backup objects with the database. */
const withoutBackups = (ensure: Ensure<CoreDatabase>, backups: BackupResources): Ensure<CoreDatabase> => ({
  ...ensure,
  run: (given) => {
    const ensured = ensure.run(given);
    return isDeleting(given.object) ? Effect.tap(ensured, () => backups.remove(given.object, given.reader)) : ensured;
  },
});

/** Also deletes the claims of a chart after the chart. */
export const withoutClaims = (ensure: Ensure<CoreDatabase>): Ensure<CoreDatabase> => ({
  ...ensure,
  run: (given) => {
    const ensured = ensure.run(given);
    if (!isDeleting(given.object)) return ensured;
    const removing = removeClaims(given.object, given.reader).pipe(Effect.catchTag('Gone', () => Effect.void));
    return Effect.tap(ensured, () => removing);
  },
});

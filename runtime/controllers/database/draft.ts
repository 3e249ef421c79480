import { Effect } from 'effect';
import type { CoreDatabase } from '../../../crds/coreDatabase.ts';
import { draftDeploy as machine } from '../../../machines/draftDeploy.ts';
import type { DraftDeployEvent, DraftDeployState } from '../../../machines/names.ts';
import { tables } from '../../../machines/tables.ts';
import { draftDeployEvents } from '../../../rules/draftDeploy/events.ts';
import type { DraftDeployFacts } from '../../../rules/draftDeploy/facts.ts';
import { deployPatches } from '../../../rules/draftDeploy/patches.ts';
import { differingPaths } from '../../../rules/draftDeploy/paths.ts';
import { deployStored, snapshotOf } from '../../../rules/draftDeploy/stored.ts';
import { byState } from '../../../rules/engine.ts';
import { unknown } from '../../../rules/fact.ts';
import { type Acting, type AnyLifecycle, lifecycle } from '../../lifecycle.ts';
import { roomOf } from './room.ts';
import { gateOf } from './spec.ts';

type Deploys = Acting<CoreDatabase, DraftDeployFacts>;
const patched =
  (action: keyof typeof deployPatches) =>
  ({ object, at }: Deploys) => ({ ...deployPatches[action](object, at) });

/**
 * What is deployed of a database, kept in its spec and annotations; applying the running spec is left to the database
 * machine.
 */
export const databaseDraft = (): AnyLifecycle =>
  lifecycle<CoreDatabase, DraftDeployFacts, DraftDeployState, DraftDeployEvent['type']>({
    name: 'draftDeploy',
    kept: 'object',
    machine,
    ...tables.draftDeploy,
    rules: byState(draftDeployEvents),
    retrying: () => false,
    read: gateOf,
    write: () => ({}),
    shown: gateOf,
    observe: (database, reader, { now, absent }) => {
      const snapshot = snapshotOf(database);
      return {
        now,
        kind: 'database',
        stored: absent ? null : deployStored(database),
        deleted: database.metadata.deletionTimestamp !== undefined,
        changed: [],
        differing: snapshot === null ? [] : differingPaths(snapshot, database.spec),
        room: roomOf(database, reader),
      };
    },
    ask: () => Effect.succeed(unknown('nothing is asked for')),
    writes: {
      saveDraft: patched('saveDraft'),
      enable: patched('enable'),
      clearMarkers: patched('clearMarkers'),
      takeSnapshot: patched('takeSnapshot'),
      changeRevision: patched('changeRevision'),
      markChanges: patched('markChanges'),
    },
    acts: {},
    ensures: {},
  });

import { Effect } from 'effect';
import type { CoreObjectStore } from '../../../crds/coreObjectStore.ts';
import { objectStorePhases } from '../../../crds/objectStoreStates.ts';
import type { ObjectStoreAction, ObjectStoreEvent, ObjectStoreState } from '../../../machines/names.ts';
import { objectStore as machine } from '../../../machines/objectStore.ts';
import { tables } from '../../../machines/tables.ts';
import { isDeleting } from '../../../rules/deleting.ts';
import { byState } from '../../../rules/engine.ts';
import { known, unknown } from '../../../rules/fact.ts';
import { objectStoreEvents, seenIn } from '../../../rules/objectStore/events.ts';
import type { ObjectStoreFacts, ObjectStoreSeen } from '../../../rules/objectStore/facts.ts';
import { objectStoreBlockers } from '../../../rules/objectStore/blockers.ts';
import { objectStoreOutcome, objectStoreReady, type ObjectStoreStanding } from '../../../rules/objectStore/ready.ts';
import { deployOf } from '../provisioned/draftDeploy.ts';
import type { ProvisionedParts, ProvisionedTypes } from '../provisioned/kind.ts';
import { provisioned } from '../provisioned/lifecycle.ts';
import { type Parts, reconciled } from './ensures.ts';
import { bucketsOn, nothingLeft } from './ensures/release.ts';
import { serverPods, startingOf } from './observe/copies.ts';
import { deletionOf } from './observe/deletion.ts';
import { observeObjectStore, uidOf } from './observe.ts';

interface ObjectStoreTypes extends ProvisionedTypes {
  readonly object: CoreObjectStore;
  readonly facts: ObjectStoreFacts;
  readonly seen: ObjectStoreSeen;
  readonly beside: Pick<ObjectStoreStanding, 'unremoved'>;
  readonly state: ObjectStoreState;
  readonly event: ObjectStoreEvent['type'];
  readonly action: ObjectStoreAction;
  readonly refAction: never;
}

/** The deploys of an object store. */
export const deploy = deployOf<CoreObjectStore>({ kind: 'bucket', room: () => known({ is: 'enough' }) });

/** The machine of provisioning a bucket or a server: follows its gate and its counted failures. */
export const objectStoreProvisioned = (parts: Parts): ProvisionedParts<ObjectStoreTypes> =>
  provisioned<ObjectStoreTypes>({
    machine: { name: 'objectStore', machine, ...tables.objectStore, rules: byState(objectStoreEvents) },
    states: objectStorePhases,
    deletionPhases: { Deleting: 'deletion' },
    deploy,
    observe: (store, { reader, gate }) => observeObjectStore(store, { reader, ...parts }, gate),
    facts: (store, { reader, seen: { gate, ...around } }) => ({
      deleted: isDeleting(store),
      gate,
      around: known(around),
      usedBy: bucketsOn(store, reader),
      remains: parts.findings.get(uidOf(store))?.gone !== true,
    }),
    seenIn,
    ask: () => Effect.succeed(unknown('nothing is asked for')),
    blockers: objectStoreBlockers,
    ready: objectStoreReady,
    outcome: objectStoreOutcome,
    beside: (_, __, { failures }) => ({ unremoved: failures.get('nothingLeft')?.why ?? '' }),
    pods: serverPods,
    copies: (store, _, deriving) => startingOf(store, { ...parts, deriving }),
    moreCauses: (store, _, { reader }) => (isDeleting(store) ? deletionOf(store, { reader, ...parts }) : []),
    firstError: 'withAttempt',
    refs: {},
    actions: {},
    ensures: {
      broughtAbout: reconciled(parts),
      noServer: parts.ownedResources.ensure,
      nothingLeft: nothingLeft(parts),
    },
    owned: parts.ownedResources,
  });

import { Effect } from 'effect';
import type { CoreObjectStore } from '../../../crds/coreObjectStore.ts';
import { objectStorePhases } from '../../../crds/objectStoreStates.ts';
import type { ObjectStoreEvent, ObjectStoreState } from '../../../machines/names.ts';
import { objectStore as machine } from '../../../machines/objectStore.ts';
import { tables } from '../../../machines/tables.ts';
import { type Absence, byState } from '../../../rules/engine.ts';
import { known, unknown } from '../../../rules/fact.ts';
import { objectStoreEvents } from '../../../rules/objectStore/events.ts';
import type { ObjectStoreFacts } from '../../../rules/objectStore/facts.ts';
import type { RetrySeen } from '../../../rules/provisionRetry/facts.ts';
import { type AnyLifecycle, lifecycle, type Moment } from '../../contract/lifecycle.ts';
import { isDeleting } from '../../../rules/deleting.ts';
import { gateIn } from '../provisioned/draftDeploy.ts';
import { broughtAbout, type Parts } from './ensures.ts';
import { bucketsOn, nothingLeft } from './ensures/release.ts';
import { storeSeen, uidOf } from './observe.ts';
import { actions } from './actions.ts';

/** The lens. Nothing is removed of a store that is not being deleted, whatever its status says. */
export function storePhase({ metadata, status }: CoreObjectStore): ObjectStoreState | Absence {
  const phase = status?.phase ?? '';
  if (phase === 'Deleting' && !isDeleting({ metadata })) return 'Provisioning';
  return objectStorePhases.find((one) => one === phase) ?? '(none)';
}

const retryIn = ({ others }: Moment): RetrySeen => others['provisionRetry'] as RetrySeen;

/** Whether a bucket or a server stands: follows its gate and its row of failures. */
export const storeProvisioned = (parts: Parts): AnyLifecycle =>
  lifecycle<CoreObjectStore, ObjectStoreFacts, ObjectStoreState, ObjectStoreEvent['type']>({
    name: 'objectStore',
    kept: 'status',
    machine,
    ...tables.objectStore,
    rules: byState(objectStoreEvents),
    retrying: (store) =>
      storePhase(store) === 'Provisioning' && (store.status?.reconcileRetry?.reconcileFailures ?? 0) > 0,
    read: storePhase,
    write: (to) => ({ phase: to }),
    shown: ({ status }) => status?.phase ?? 'Provisioning',
    observe: (store, reader, moment) => {
      const gate = gateIn(moment);
      const { gate: _, ...around } = storeSeen(store, { reader, ...parts }, gate);
      return {
        now: moment.now,
        deleted: isDeleting(store),
        gate,
        retry: retryIn(moment),
        around: known(around),
        usedBy: bucketsOn(store, reader),
        remains: parts.found.get(uidOf(store))?.gone !== true,
      };
    },
    ask: () => Effect.succeed(unknown('nothing is asked for')),
    actions,
    ensures: {
      broughtAbout: broughtAbout(parts),
      noServer: parts.pieces.ensure,
      nothingLeft: nothingLeft(parts),
    },
  });

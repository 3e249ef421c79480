import { volumeProtection } from '../api/admission/plugins.ts';
import { keyOf, placeAt, placeOf } from '../nodes/shapes.ts';
import type { Change } from '../store.ts';
import { withoutFinalizer } from './claim.ts';
import type { Controller, World } from './controller.ts';
import { shelves } from './shapes.ts';
import { isFor } from './volumeMatch.ts';
import { type Claim, type Volume, volumeMark } from './volumeShapes.ts';

const where = shelves.volumes;

/** Keeps the phase of each volume, and applies the reclaim policy of those whose claim is gone. */
export function createVolumeController({ store, marks, events }: World): Controller {
  async function reconcile(key: string): Promise<null> {
    const volume = store.get(placeAt(where, key)) as Volume | undefined;
    if (!volume) return null;
    const phase = phaseOf(volume);
    if (volume.metadata.deletionTimestamp !== undefined) {
      if (phase !== 'Bound' && volume.metadata.finalizers?.includes(volumeProtection))
        await store.update(placeOf(where, volume), (old) => withoutFinalizer(old, volumeProtection));
      return null;
    }
    if (volume.status?.phase !== phase)
      await store.update(placeOf(where, volume), (old) => ({ ...old, status: { ...(old as Volume).status, phase } }));
    if (phase === 'Released' && volume.spec?.persistentVolumeReclaimPolicy === 'Delete') await reclaim(volume);
    return null;
  }

  function phaseOf(volume: Volume): string {
    const { claimRef } = volume.spec ?? {};
    if (!claimRef) return 'Available';
    const { namespace = '', name = '' } = claimRef;
    const claim = store.get({ bucket: shelves.claims, namespace, name }) as Claim | undefined;
    if (claim && isFor(volume, claim)) return claimRef.uid === undefined ? 'Available' : 'Bound';
    return claimRef.uid === undefined ? 'Available' : 'Released';
  }

  async function reclaim(volume: Volume) {
    if (volume.metadata.annotations?.[volumeMark.provisionedBy] === marks.provisioner) {
      await store.remove(placeOf(where, volume), { uid: volume.metadata.uid });
      return;
    }
    const message = 'nobody here deletes the volumes of this source';
    events.record('persistentvolume-controller', volume, { type: 'Warning', reason: 'VolumeFailedDelete', message });
  }

  function concerns({ bucket: changed, object }: Change): readonly string[] {
    if (changed === where) return [keyOf(object)];
    const name = changed === shelves.claims ? (object as Claim).spec?.volumeName : undefined;
    return name === undefined || name === '' ? [] : [`/${name}`];
  }

  return { name: 'volume-controller', concerns, reconcile };
}

import type { Change, Stored } from '../store.ts';
import type { Marks } from '../surroundings.ts';
import { claimProtection } from '../api/admission/plugins.ts';
import { same } from '../api/json.ts';
import type { Recorded } from '../nodes/events.ts';
import { milli } from '../nodes/quantity.ts';
import { type Pod, bucket, claimsOf, keyOf, placeAt, placeOf } from '../nodes/shapes.ts';
import { type Controller, type World, podsIn, stays } from './controller.ts';
import { shelves } from './shapes.ts';
import { isFor, matching, storageAsked } from './volumeMatch.ts';
import { type Claim, type StorageClass, type Volume, volumeMark } from './volumeShapes.ts';

const component = 'persistentvolume-controller';
const where = shelves.claims;
const volumePlace = (name: string) => ({ bucket: shelves.volumes, namespace: '', name });

/** Binds claims to volumes, provisions volumes for those of the simulated classes, and lets go what nobody uses. */
export function createClaimController({ store, marks, events }: World): Controller {
  const record = (claim: Claim, event: Recorded) => events.record(component, claim, event);

  async function reconcile(key: string): Promise<null> {
    const claim = store.get(placeAt(where, key)) as Claim | undefined;
    if (!claim) return null;
    if (claim.metadata.deletionTimestamp !== undefined) await letGo(claim);
    else if (isBound(claim)) await keep(claim);
    else await bindOrProvision(claim);
    return null;
  }

  const isBound = ({ metadata }: Claim) => metadata.annotations?.[volumeMark.bindCompleted] === 'yes';

  /** A claim goes only when no pod that has a node uses it. */
  async function letGo(claim: Claim) {
    if (claim.metadata.finalizers?.includes(claimProtection) !== true) return;
    const used = podsIn(store, claim.metadata.namespace ?? '').some(
      (pod) => pod.spec?.nodeName !== undefined && claimsOf(pod).includes(claim.metadata.name),
    );
    if (!used) await store.update(placeOf(where, claim), (old) => withoutFinalizer(old, claimProtection));
  }

  async function keep(claim: Claim) {
    const volume = store.get(volumePlace(claim.spec?.volumeName ?? '')) as Volume | undefined;
    if (!volume || !isFor(volume, claim)) return lose(claim);
    const expanded = await expand(claim, volume);
    await bind(claim, expanded);
  }

  async function lose(claim: Claim) {
    if (claim.status?.phase === 'Lost') return;
    await store.update(placeOf(where, claim), (old) => ({ ...old, status: { phase: 'Lost' } }));
    const message = 'Bound claim has lost its PersistentVolume. Data on the volume is lost!';
    record(claim, { type: 'Warning', reason: 'ClaimLost', message });
  }

  /** A simulated volume grows as soon as its claim asks for more. */
  async function expand(claim: Claim, volume: Volume): Promise<Volume> {
    const asked = claim.spec?.resources?.requests?.['storage'];
    const ours = volume.metadata.annotations?.[volumeMark.provisionedBy] === marks.provisioner;
    if (!ours || asked === undefined || storageAsked(claim) <= milli(volume.spec?.capacity?.['storage'])) return volume;
    const grown = await store.update(volumePlace(volume.metadata.name), (old) => ({
      ...old,
      spec: { ...(old as Volume).spec, capacity: { ...(old as Volume).spec?.capacity, storage: asked } },
    }));
    const message = 'MountVolume.NodeExpandVolume succeeded for volume "' + volume.metadata.name + '"';
    record(claim, { type: 'Normal', reason: 'FileSystemResizeSuccessful', message });
    return grown as Volume;
  }

  async function bindOrProvision(claim: Claim) {
    const volume = matching(claim, store.list(shelves.volumes) as readonly Volume[]);
    const name = claim.spec?.storageClassName ?? '';
    if (volume) return bind(claim, volume);
    if (claim.spec?.volumeName) return pending(claim);
    const none = 'no persistent volumes available for this claim and no storage class is set';
    if (name === '') return pending(claim, { type: 'Normal', reason: 'FailedBinding', message: none });
    const found: StorageClass | undefined = store.get({ bucket: shelves.storageClasses, namespace: '', name });
    const missing = `storageclass.storage.k8s.io "${name}" not found`;
    if (!found) return pending(claim, { type: 'Warning', reason: 'ProvisioningFailed', message: missing });
    return provisionBy(claim, found);
  }

  async function provisionBy(claim: Claim, { metadata, provisioner: by = '', ...options }: StorageClass) {
    const waits = options.volumeBindingMode === 'WaitForFirstConsumer';
    if (waits && claim.metadata.annotations?.[volumeMark.selectedNode] === undefined) {
      const message = 'waiting for first consumer to be created before binding';
      return pending(claim, { type: 'Normal', reason: 'WaitForFirstConsumer', message });
    }
    if (by !== marks.provisioner) {
      const message = `Waiting for a volume to be created either by the external provisioner '${by}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;
      return pending(claim, { type: 'Normal', reason: 'ExternalProvisioning', message });
    }
    if (!stays(store, where, claim)) return;
    const wanted = volumeFor(claim, marks, { name: metadata.name, reclaim: options.reclaimPolicy ?? 'Delete' });
    const place = volumePlace(wanted.metadata.name);
    const volume = (store.get(place) ?? (await store.create(place, wanted))) as Volume;
    const message = `Successfully provisioned volume ${place.name}`;
    record(claim, { type: 'Normal', reason: 'ProvisioningSucceeded', message });
    await bind(claim, volume);
  }

  async function pending(claim: Claim, event?: Recorded) {
    if (claim.status?.phase !== 'Pending')
      await store.update(placeOf(where, claim), (old) => ({
        ...old,
        status: { ...(old as Claim).status, phase: 'Pending' },
      }));
    if (event) record(claim, event);
  }

  async function bind(claim: Claim, volume: Volume) {
    const kept = await store.update(volumePlace(volume.metadata.name), (old) => boundVolume(old as Volume, claim));
    if (!isFor(kept as Volume, claim)) return;
    await store.update(placeOf(where, claim), (old) =>
      old.metadata.uid === claim.metadata.uid ? boundClaim(old as Claim, volume) : old,
    );
  }

  function concerns({ bucket: changed, type, object }: Change): readonly string[] {
    const namespace = object.metadata.namespace ?? '';
    if (changed === where) return [keyOf(object)];
    if (changed === bucket.pods)
      return type === 'DELETED' ? claimsOf(object as Pod).map((name) => `${namespace}/${name}`) : [];
    if (changed === shelves.volumes) return ofVolume(object as Volume);
    if (changed !== shelves.storageClasses) return [];
    return (store.list(where) as readonly Claim[]).filter((claim) => !isBound(claim)).map(keyOf);
  }

  const ofVolume = ({ spec }: Volume) => {
    const { namespace, name } = spec?.claimRef ?? {};
    if (namespace !== undefined && name !== undefined) return [`${namespace}/${name}`];
    return (store.list(where) as readonly Claim[]).filter((claim) => !isBound(claim)).map(keyOf);
  };

  return { name: component, concerns, reconcile };
}

/** An object without one of its finalizers. */
export const withoutFinalizer = (object: Stored, name: string): Stored => ({
  ...object,
  metadata: { ...object.metadata, finalizers: (object.metadata.finalizers ?? []).filter((one) => one !== name) },
});

function boundVolume(volume: Volume, { metadata, apiVersion }: Claim): Volume {
  const { claimRef } = volume.spec ?? {};
  if (claimRef?.uid !== undefined) return volume;
  const { namespace, name, uid, resourceVersion } = metadata;
  const reference = { kind: 'PersistentVolumeClaim', namespace, name, uid, apiVersion, resourceVersion };
  const marks = claimRef ? {} : { [volumeMark.boundByController]: 'yes' };
  return {
    ...volume,
    metadata: { ...volume.metadata, annotations: { ...volume.metadata.annotations, ...marks } },
    spec: { ...volume.spec, claimRef: { ...claimRef, ...reference } },
    status: { ...volume.status, phase: 'Bound' },
  } as Volume;
}

function boundClaim(claim: Claim, { metadata, spec }: Volume): Claim {
  const dynamic = metadata.annotations?.[volumeMark.provisionedBy];
  const named =
    (claim.spec?.volumeName ?? '') !== '' && claim.metadata.annotations?.[volumeMark.bindCompleted] === undefined;
  const next = {
    ...claim,
    metadata: {
      ...claim.metadata,
      annotations: {
        ...claim.metadata.annotations,
        [volumeMark.bindCompleted]: 'yes',
        ...(!named && { [volumeMark.boundByController]: 'yes' }),
        ...(dynamic !== undefined && { [volumeMark.storageProvisioner]: dynamic }),
      },
    },
    spec: { ...claim.spec, volumeName: metadata.name },
    status: { ...claim.status, phase: 'Bound', accessModes: spec?.accessModes ?? [], capacity: spec?.capacity ?? {} },
  } as Claim;
  return same(next, claim) ? claim : next;
}

interface StorageTerms {
  readonly name: string;
  readonly reclaim: string;
}

function volumeFor({ metadata, spec }: Claim, { provisioner, driver }: Marks, storage: StorageTerms) {
  const name = `pvc-${metadata.uid}`;
  const { namespace, name: claim, uid, resourceVersion } = metadata;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      name,
      annotations: { [volumeMark.provisionedBy]: provisioner },
      finalizers: ['kubernetes.io/pv-protection'],
    },
    spec: {
      capacity: { storage: spec?.resources?.requests?.['storage'] ?? '0' },
      accessModes: spec?.accessModes ?? [],
      persistentVolumeReclaimPolicy: storage.reclaim,
      storageClassName: storage.name,
      volumeMode: spec?.volumeMode ?? 'Filesystem',
      claimRef: { kind: 'PersistentVolumeClaim', namespace, name: claim, uid, apiVersion: 'v1', resourceVersion },
      csi: { driver, volumeHandle: name },
    },
    status: { phase: 'Bound' },
  };
}

import { milli } from '../../nodes/quantity.ts';
import type { Stored } from '../../store.ts';
import type { Json } from '../json.ts';
import { at, isJson, jsonAt, listAt, textAt, wordOf } from '../json.ts';
import { forbidden } from '../status.ts';
import type { ApiStore } from '../store/store.ts';
import { withPriority } from './priority.ts';

const defaultClass = 'storageclass.kubernetes.io/is-default-class';
export const claimProtection = 'kubernetes.io/pvc-protection';
export const volumeProtection = 'kubernetes.io/pv-protection';

/** A new object with what the cluster adds to it: protection of volumes, the default class of a claim. */
export function admitted(store: ApiStore, object: Json): Json {
  switch (object['kind']) {
    case 'PersistentVolumeClaim':
      return protectedBy(withClass(store, object), claimProtection);
    case 'PersistentVolume':
      return protectedBy(object, volumeProtection);
    case 'Pod':
      return withTolerations(withPriority(store, withKnownRuntime(object)));
    default:
      return object;
  }
}

/** Refuses a change that the cluster cannot follow: a volume grows only where its class lets it. */
export function checkChange(store: ApiStore, old: Stored, next: Stored): void {
  if (next.kind !== 'PersistentVolumeClaim' || sizeOf(next) <= sizeOf(old)) return;
  const refuse = (why: string) => forbidden({ group: '', plural: 'persistentvolumeclaims' }, next.metadata.name, why);
  if (textAt(old, 'status', 'phase') !== 'Bound') throw refuse('only bound persistent volume claims can be expanded');
  const name = textAt(next, 'spec', 'storageClassName');
  const storageClass = store.get({ bucket: 'storage.k8s.io/storageclasses', namespace: '', name });
  if (at(storageClass, 'allowVolumeExpansion') === true) return;
  throw refuse(
    'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
  );
}

const sizeOf = (claim: Json) => milli(wordOf(at(claim, 'spec', 'resources', 'requests', 'storage')));

function protectedBy(object: Json, finalizer: string): Json {
  const finalizers = listAt(object, 'metadata', 'finalizers');
  if (finalizers.includes(finalizer)) return object;
  return { ...object, metadata: { ...jsonAt(object, 'metadata'), finalizers: [...finalizers, finalizer] } };
}

/** A claim that names no class is of the default one; an empty name is a name. */
function withClass(store: ApiStore, claim: Json): Json {
  const spec = jsonAt(claim, 'spec');
  if (spec['storageClassName'] !== undefined) return claim;
  const [newest] = store
    .list('storage.k8s.io/storageclasses')
    .filter((one) => one.metadata.annotations?.[defaultClass] === 'true')
    .sort((a, b) => Date.parse(b.metadata.creationTimestamp) - Date.parse(a.metadata.creationTimestamp));
  return newest ? { ...claim, spec: { ...spec, storageClassName: newest.metadata.name } } : claim;
}

/** There are no runtime classes, so that no pod can be of one. */
function withKnownRuntime(pod: Json): Json {
  const name = textAt(pod, 'spec', 'runtimeClassName');
  if (name === '') return pod;
  const why = `pod rejected: RuntimeClass "${name}" not found`;
  throw forbidden({ group: '', plural: 'pods' }, textAt(pod, 'metadata', 'name'), why);
}

const patienceSeconds = 300;

/** A pod bears a node that is not ready for some minutes, unless it says otherwise. */
export function withTolerations(pod: Json): Json {
  const spec = jsonAt(pod, 'spec');
  const tolerations = listAt(spec, 'tolerations');
  const missing = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].filter(
    (taint) => !tolerations.some((one) => isJson(one) && bears(one, taint)),
  );
  const added = missing.map((key) => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: patienceSeconds,
  }));
  return added.length === 0 ? pod : { ...pod, spec: { ...spec, tolerations: [...tolerations, ...added] } };
}

const bears = (toleration: Json, taint: string): boolean =>
  ['', 'NoExecute'].includes(textAt(toleration, 'effect')) &&
  ['', taint].includes(textAt(toleration, 'key')) &&
  (textAt(toleration, 'key') !== '' || at(toleration, 'operator') === 'Exists');

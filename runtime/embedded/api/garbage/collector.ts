import type { Bucket, Change, Place, Stored } from '../../store.ts';
import { listAt, textAt } from '../json.ts';
import { definitions } from '../kinds/builtIn.ts';
import { cleanup } from '../kinds/definition.ts';
import { ending } from '../store/objects.ts';
import { StatusError, resourceOf } from '../status.ts';
import type { ApiStore } from '../store/store.ts';
import { createGraph, placeIn } from './graph.ts';
import { type Left, terminating } from './namespaceStatus.ts';

const eventLifeMs = 3_600_000;
const sweepMs = 60_000;
const retryMs = 1_000;

/** What a controller needs to act at all: it leaves a namespace last. */
const workedWith: ReadonlySet<Bucket> = new Set<Bucket>([
  '/serviceaccounts',
  '/secrets',
  '/configmaps',
  'rbac.authorization.k8s.io/roles',
  'rbac.authorization.k8s.io/rolebindings',
  'coordination.k8s.io/leases',
]);

/**
 * Deletes what lost its owners, its namespace or its kind, and Events after an hour; takes away the finalizers that
 * stand for a deletion in the foreground and for orphaning. Reports nothing: the store shows what is left.
 */
export function collectGarbage(store: ApiStore): { readonly stop: () => Promise<void> } {
  const graph = createGraph();
  const waiting = new Map<string, Place>();
  const ownersInWait = new Map<string, Place>();
  let working: Promise<void> | null = null;
  let stopped = false;

  for (const bucket of store.buckets()) for (const object of store.list(bucket)) graph.put(bucket, object);
  for (const bucket of store.buckets()) for (const object of store.list(bucket)) look(bucket, object);
  sweepEvents();
  const forget = store.onChange(hear);
  const sweep = setInterval(sweepEvents, sweepMs);

  function hear({ type, bucket, object }: Change) {
    if (type !== 'DELETED') {
      graph.put(bucket, object);
      return look(bucket, object);
    }
    graph.drop(object);
    graph.dependents(object.metadata.uid).forEach(enqueue);
    // Owners that wait for their dependents, and the namespace or the kind that waits for its objects.
    for (const { uid } of object.metadata.ownerReferences ?? []) {
      const owner = ownersInWait.get(uid);
      if (owner) enqueue(owner);
    }
    const { namespace } = object.metadata;
    if (namespace !== undefined) lookAt({ bucket: '/namespaces', namespace: '', name: namespace });
    const { group, plural } = resourceOf(bucket);
    lookAt({ bucket: definitions, namespace: '', name: `${plural}.${group}` });
  }

  function lookAt(place: Place) {
    const object = store.get(place);
    if (object) look(place.bucket, object);
  }

  function look(bucket: Bucket, object: Stored) {
    const { deletionTimestamp, ownerReferences = [] } = object.metadata;
    const isOrphan = ownerReferences.some(({ uid }) => !graph.owns(uid, object));
    if (deletionTimestamp !== undefined || isOrphan) enqueue(placeIn(bucket, object));
  }

  function enqueue(place: Place) {
    if (stopped) return;
    waiting.set(`${place.bucket}\0${place.namespace}\0${place.name}`, place);
    working ??= work();
  }

  async function work() {
    await Promise.resolve();
    while (waiting.size > 0 && !stopped) {
      const places = [...waiting.values()];
      waiting.clear();
      await Promise.all(places.map((place) => treat(place).catch((why: unknown) => again(place, why))));
    }
    // Here and not later: what is found in between would wait for nobody.
    working = null;
  }

  /** Gone or changed in between is fine: the change that did it is heard. Anything else is tried again. */
  function again(place: Place, why: unknown) {
    if (why instanceof StatusError && why.body.code < 500) return;
    setTimeout(() => enqueue(place), retryMs).unref();
  }

  async function treat(place: Place): Promise<void> {
    const object = store.get(place);
    if (!object) return;
    if (object.metadata.deletionTimestamp !== undefined) await finish(place, object);
    else await treatOwners(place, object);
  }

  const livingOwners = (object: Stored) =>
    (object.metadata.ownerReferences ?? []).filter(({ uid }) => graph.owns(uid, object));

  async function treatOwners(place: Place, object: Stored) {
    const { uid, resourceVersion, ownerReferences = [] } = object.metadata;
    const living = livingOwners(object);
    if (living.length === ownerReferences.length) return;
    if (living.length === 0) await store.remove(place, { uid, resourceVersion });
    else await change(place, uid, (now) => ({ ...now.metadata, ownerReferences: livingOwners(now) }));
  }

  /** Does what the finalizers of an object being deleted ask for. */
  async function finish(place: Place, object: Stored) {
    const { uid, finalizers = [] } = object.metadata;
    if (place.bucket === '/namespaces') return finishNamespace(place, object);
    if (place.bucket === definitions && finalizers.includes(cleanup)) return finishDefinition(place, object);
    if (finalizers.includes('orphan')) await orphan(place, uid);
    else if (finalizers.includes('foregroundDeletion')) await foreground(place, uid);
  }

  async function orphan(place: Place, uid: string) {
    for (const dependent of graph.dependents(uid)) {
      const object = store.get(dependent);
      if (object) await change(dependent, object.metadata.uid, ({ metadata }) => withoutOwner(metadata, uid));
    }
    await dropFinalizer(place, uid, 'orphan');
  }

  async function foreground(place: Place, uid: string) {
    ownersInWait.set(uid, place);
    const blocking: Stored[] = [];
    for (const dependent of graph.dependents(uid)) {
      const object = store.get(dependent);
      if (!object) continue;
      const reference = object.metadata.ownerReferences?.find((owner) => owner.uid === uid);
      if (reference?.blockOwnerDeletion === true) blocking.push(object);
      if (object.metadata.deletionTimestamp === undefined) await removeWithItsOwn(dependent, object);
    }
    if (blocking.some((object) => graph.lives(object.metadata.uid))) return;
    ownersInWait.delete(uid);
    await dropFinalizer(place, uid, 'foregroundDeletion');
  }

  /** What goes before its owner goes after what it owns itself. */
  function removeWithItsOwn(place: Place, { metadata: { uid } }: Stored) {
    if (graph.dependents(uid).length === 0) return store.remove(place, { uid });
    return store.update(place, (now) => {
      if (now.metadata.uid !== uid || now.metadata.deletionTimestamp !== undefined) return now;
      const next = ending(now);
      const finalizers = [...(next.metadata.finalizers ?? []), 'foregroundDeletion'];
      return { ...next, metadata: { ...next.metadata, finalizers } };
    });
  }

  const dropFinalizer = (place: Place, uid: string, name: string) =>
    change(place, uid, ({ metadata }) => ({
      ...metadata,
      finalizers: (metadata.finalizers ?? []).filter((one) => one !== name),
    }));

  const change = (place: Place, uid: string, metadata: (now: Stored) => Stored['metadata']) =>
    store.update(place, (now) => (now.metadata.uid === uid ? { ...now, metadata: metadata(now) } : now));

  const isThere = ({ bucket, object }: Left) => store.get(placeIn(bucket, object)) !== undefined;

  async function removeAll(left: readonly Left[]) {
    for (const { bucket, object } of left)
      if (object.metadata.deletionTimestamp === undefined) await store.remove(placeIn(bucket, object)).catch(absent);
  }

  async function finishNamespace(place: Place, namespace: Stored) {
    const left = store
      .buckets()
      .flatMap((bucket) => store.list(bucket, place.name).map((object) => ({ bucket, object })));
    const others = left.filter(({ bucket }) => !workedWith.has(bucket));
    await removeAll(others);
    // A controller in the namespace still needs these to take its finalizers off the others.
    if (!others.some(isThere)) await removeAll(left.filter(({ bucket }) => workedWith.has(bucket)));
    const still = left.filter(isThere);
    await store.update(place, (now) => ({ ...now, status: terminating(now, still) }));
    const isEmpty = store.buckets().every((bucket) => store.list(bucket, place.name).length === 0);
    if (isEmpty && listAt(namespace, 'spec', 'finalizers').length > 0)
      await store.update(place, (now) => ({ ...now, spec: { finalizers: [] } }));
  }

  async function finishDefinition(place: Place, definition: Stored) {
    const bucket = `${textAt(definition, 'spec', 'group')}/${textAt(definition, 'spec', 'names', 'plural')}`;
    for (const object of store.list(bucket))
      if (object.metadata.deletionTimestamp === undefined) await store.remove(placeIn(bucket, object)).catch(absent);
    if (store.list(bucket).length > 0) return;
    await dropFinalizer(place, definition.metadata.uid, cleanup);
  }

  function sweepEvents() {
    const oldest = Date.now() - eventLifeMs;
    for (const event of store.list('/events'))
      if (lastSeen(event) < oldest) void store.remove(placeIn('/events', event)).catch(absent);
  }

  return {
    async stop() {
      stopped = true;
      forget();
      clearInterval(sweep);
      await working;
    },
  };
}

const absent = () => null;

const withoutOwner = (metadata: Stored['metadata'], uid: string): Stored['metadata'] => ({
  ...metadata,
  ownerReferences: (metadata.ownerReferences ?? []).filter((owner) => owner.uid !== uid),
});

const lastSeen = (event: Stored) =>
  Date.parse(textAt(event, 'lastTimestamp') || textAt(event, 'eventTime') || event.metadata.creationTimestamp);

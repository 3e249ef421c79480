import type { CoreObjectStore } from '../../../../crds/coreObjectStore.ts';
import { systemNamespace } from '../../../../crds/names.ts';
import type { FoundCause } from '../../../../rules/cause/cause.ts';
import { causesOfRemaining, deletionWaits } from '../../../../rules/cause/deletion.ts';
import { bucketOf } from '../../../../rules/objectStore/names.ts';
import { hidden, sentence } from '../../../../rules/words.ts';
import { refOf } from '../../causes.ts';
import { remainingIn } from '../../remaining.ts';
import { bucketsOn } from '../ensures/release.ts';
import { type ObserveInput, uidOf } from '../observe.ts';

/** What the deletion of an object store waits for. */
export function deletionOf(
  store: CoreObjectStore,
  { reader, ownedResources, findings }: ObserveInput,
): readonly FoundCause[] {
  const on = refOf(store);
  if (findings.get(uidOf(store))?.gone === true) return [];
  const buckets = bucketsOn(store, reader).map((name) => ({
    on: { kind: on.kind, name, namespace: systemNamespace },
    finalizers: [],
  }));
  const left = buckets.length > 0 ? buckets : remainingIn(ownedResources.diff(store, reader), reader);
  if (left.length > 0 || store.spec.mode === 'Server') return causesOfRemaining(left);
  const bucket = hidden(bucketOf(store, store.spec));
  return [deletionWaits(sentence('the bucket "{bucket}" and its user are being removed', { bucket }), on)];
}

import type { Bucket, Stored } from '../store.ts';
import type { Selection } from './selectors.ts';
import type { ApiStore } from './store/store.ts';

/** Where objects are looked for; an empty namespace stands for all of them. */
interface Among {
  readonly bucket: Bucket;
  readonly namespace: string;
}

/** The objects that a selection holds for, in the order of a list; null selects everything. */
export function selected(store: ApiStore, among: Among, selection: Selection | null): readonly Stored[] {
  const { bucket, namespace } = among;
  const within = namespace === '' ? undefined : namespace;
  if (selection === null) return store.list(bucket, within);
  return candidates(store, bucket, within, selection).filter(selection.holds);
}

/** At least those that the selection holds for, found by the narrowest way there is. */
function candidates(store: ApiStore, bucket: Bucket, namespace: string | undefined, { named, labelled }: Selection) {
  if (named !== null && namespace !== undefined) {
    const found = store.get({ bucket, namespace, name: named });
    return found ? [found] : [];
  }
  return labelled === null
    ? store.list(bucket, namespace)
    : store.labelled(bucket, labelled.label, labelled.values, namespace);
}

import type { Remaining } from '../../rules/cause/deletion.ts';
import type { CacheReader } from '../cache/reader.ts';
import type { Diff } from '../owned/owned.ts';
import { refIn } from '../services/cluster/failedOn.ts';

/** The objects in the cache that nobody wants any more, with their finalizers and when they were deleted. */
export const remainingIn = ({ toPrune, terminating }: Diff, reader: CacheReader): readonly Remaining[] =>
  [...toPrune, ...terminating].map((ref) => {
    const { finalizers = [], deletionTimestamp: since = '' } =
      reader.get(ref.resource, ref.name, ref.namespace)?.metadata ?? {};
    return { on: refIn(ref.resource, ref), finalizers, since };
  });

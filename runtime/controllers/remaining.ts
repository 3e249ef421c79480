import type { Remaining } from '../../rules/cause/deletion.ts';
import type { CacheReader } from '../cache/reader.ts';
import type { Diff } from '../owned/owned.ts';
import { objectRef } from '../owned/displayName.ts';

/** The objects in the cache that nobody wants any more, with their finalizers. */
export const remainingIn = ({ toPrune, terminating }: Diff, reader: CacheReader): readonly Remaining[] =>
  [...toPrune, ...terminating].map((ref) => ({
    on: objectRef(ref),
    finalizers: reader.get(ref.resource, ref.name, ref.namespace)?.metadata.finalizers ?? [],
  }));

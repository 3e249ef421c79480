import { isDeepStrictEqual } from 'node:util';
import { placeOf } from '../nodes/shapes.ts';
import type { Bucket, Store, Stored } from '../store.ts';

/** Writes the status of an object where it is another one; an object of the same name that came since keeps its own. */
export async function writeStatus<T extends Stored>(
  store: Store,
  where: Bucket,
  object: T,
  status: NonNullable<T['status']>,
): Promise<T> {
  if (isDeepStrictEqual(object.status ?? {}, status)) return object;
  return (await store.update(placeOf(where, object), (old) =>
    old.metadata.uid === object.metadata.uid ? { ...old, status } : old,
  )) as T;
}

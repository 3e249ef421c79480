import type { CoreObjectStore, ObjectStoreStatus } from '../../../crds/coreObjectStore.ts';
import type { ObjectStoreAction } from '../../../machines/names.ts';
import type { ObjectStoreFacts } from '../../../rules/objectStore/facts.ts';
import { objectStoreHindrance } from '../../../rules/objectStore/hindrance.ts';
import { type Actions, patching } from '../../contract/lifecycle.ts';
import { attemptPatches } from '../provisioned/attempts.ts';

type Fields = { readonly [F in keyof ObjectStoreStatus]?: ObjectStoreStatus[F] | null };

/** What hinders it, in the words of Ready; null where nothing does. */
function hindranceText({ around, gate }: ObjectStoreFacts): string | null {
  if (around.is !== 'known') return null;
  const seen = { ...around.value, gate };
  return objectStoreHindrance(seen)?.message(seen).text ?? null;
}

/** The named actions of an object store. */
export const actions: Actions<ObjectStoreAction, CoreObjectStore, ObjectStoreFacts, Fields> = patching(
  attemptPatches<CoreObjectStore, ObjectStoreFacts>({ messageOf: hindranceText, errorBegins: true }),
);

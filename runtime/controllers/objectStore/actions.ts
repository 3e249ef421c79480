import type { CoreObjectStore, ObjectStoreStatus } from '../../../crds/coreObjectStore.ts';
import type { ObjectStoreAction } from '../../../machines/names.ts';
import type { ObjectStoreFacts } from '../../../rules/objectStore/facts.ts';
import { objectStoreHindrance } from '../../../rules/objectStore/hindrance.ts';
import type { Acting } from '../../contract/lifecycle.ts';
import { attemptWrites } from '../provisioned/attempts.ts';

type Fields = { readonly [F in keyof ObjectStoreStatus]?: ObjectStoreStatus[F] | null };
type Writes = (acting: Acting<CoreObjectStore, ObjectStoreFacts>) => Fields;

/** What hinders it, in the words of Ready; null where nothing does. */
function hindranceText({ around, gate }: ObjectStoreFacts): string | null {
  if (around.is !== 'known') return null;
  const seen = { ...around.value, gate };
  return objectStoreHindrance(seen)?.message(seen).text ?? null;
}

/** What each named action writes. */
export const writes: Readonly<Record<ObjectStoreAction, Writes>> = {
  ...attemptWrites({ messageOf: hindranceText, errorBegins: true }),
};

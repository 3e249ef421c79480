import type { CoreObjectStore, ObjectStoreStatus } from '../../../crds/coreObjectStore.ts';
import type { Provision } from '../../../crds/provisioning.ts';
import type { ObjectStoreAction } from '../../../machines/names.ts';
import type { ObjectStoreFacts } from '../../../rules/objectStore/facts.ts';
import { objectStoreHindrance } from '../../../rules/objectStore/hindrance.ts';
import { hasCounted } from '../../../rules/provision/events.ts';
import { activeAttempt, attemptEnded, attemptStarted, errorRecorded } from '../../../rules/provision/attempts.ts';
import type { Acting } from '../../lifecycle.ts';

type Fields = { readonly [F in keyof ObjectStoreStatus]?: ObjectStoreStatus[F] | null };
type Writes = (acting: Acting<CoreObjectStore, ObjectStoreFacts>) => Fields;

/** What hinders it, in the words of Ready; null where nothing does. */
function hindranceText({ around, gate }: ObjectStoreFacts): string | null {
  if (around.is !== 'known') return null;
  const seen = { ...around.value, gate };
  return objectStoreHindrance(seen)?.message(seen).text ?? null;
}

/** The attempts, with the current hindrance as an error of the one under way, which it begins where there is none. */
function withError({ object, facts, at }: Parameters<Writes>[0]): Provision | undefined {
  const { provision } = object.status ?? {};
  const message = hindranceText(facts);
  if (message === null) return provision;
  const under = activeAttempt(provision) ? provision : attemptStarted(provision, at);
  return errorRecorded(under, { recordedAt: at, message });
}

/** What each named action writes. */
export const writes: Readonly<Record<ObjectStoreAction, Writes>> = {
  // What this very pass counted is the first error of the attempt.
  startAttempt: ({ object, facts, at }) => {
    const provision = attemptStarted(object.status?.provision, at);
    const message = hasCounted(facts) ? hindranceText(facts) : null;
    return { provision: message === null ? provision : errorRecorded(provision, { recordedAt: at, message }) };
  },
  recordFailure: (acting) => {
    const provision = withError(acting);
    return provision === undefined ? {} : { provision };
  },
  // What ends an attempt is its last error: one write of the field holds both.
  failAttempt: (acting) => ({
    provision: attemptEnded(withError(acting), { at: acting.at, phase: 'Failed', summary: acting.text }),
  }),
  succeedAttempt: ({ object, at }) => ({
    provision: attemptEnded(object.status?.provision, { at, phase: 'Succeeded', summary: 'Provisioned' }),
  }),
};

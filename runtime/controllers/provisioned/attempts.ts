import type { KubeObject } from '../../../crds/kind.ts';
import type { Provision } from '../../../crds/provisioning.ts';
import { activeAttempt, attemptEnded, attemptStarted, errorRecorded } from '../../../rules/provision/attempts.ts';
import { hasCounted, type TriedFacts } from '../../../rules/provision/events.ts';
import type { Acting } from '../../contract/lifecycle.ts';

interface Attempted extends KubeObject {
  readonly status?: { readonly provision?: Provision };
}
interface ProvisionPatch {
  readonly provision?: Provision;
}
type AttemptAction = 'startAttempt' | 'recordFailure' | 'failAttempt' | 'succeedAttempt';

interface Attempting<F> {
  /** What hinders it, in the words of Ready; null where nothing does. */
  readonly messageOf: (facts: F) => string | null;
  /** Whether an error begins an attempt where none is under way. */
  readonly errorBegins: boolean;
}

/** The fields that the actions on attempts write, which are alike for all kinds that are provisioned. */
export function attemptPatches<O extends Attempted, F extends Pick<TriedFacts, 'retry'>>({
  messageOf,
  errorBegins,
}: Attempting<F>): Readonly<Record<AttemptAction, (acting: Acting<O, F>) => ProvisionPatch>> {
  const withError = ({ object, facts, at }: Acting<O, F>): Provision | undefined => {
    const { provision } = object.status ?? {};
    const message = messageOf(facts);
    if (message === null) return provision;
    const begins = errorBegins && activeAttempt(provision) === undefined;
    return errorRecorded(begins ? attemptStarted(provision, at) : provision, { recordedAt: at, message });
  };

  return {
    // What this very pass counted is the first error of the attempt.
    startAttempt: ({ object, facts, at }) => {
      const provision = attemptStarted(object.status?.provision, at);
      const message = hasCounted(facts) ? messageOf(facts) : null;
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
}

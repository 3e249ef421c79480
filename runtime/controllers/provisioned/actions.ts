import type { KubeObject } from '../../../crds/kind.ts';
import type { Provision, ReconcileRetry } from '../../../crds/provisioning.ts';
import type { Condition } from '../../../rules/condition.ts';
import type { FoundCause } from '../../../rules/cause/cause.ts';
import type { Message } from '../../../rules/words.ts';
import {
  activeAttempt,
  attemptEnded,
  attemptStarted,
  errorRecorded,
  errorText,
} from '../../../rules/provision/attempts.ts';
import { hasCounted, type TriedFacts } from '../../../rules/provision/events.ts';
import type { Acting, Action, Actions } from '../../contract/lifecycle.ts';

/** An object whose attempts and failures are recorded. */
export interface Provisioned extends KubeObject {
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly Condition[];
    readonly provision?: Provision;
    readonly reconcileRetry?: ReconcileRetry;
  };
}

export type AttemptAction = 'startAttempt' | 'recordFailure' | 'failAttempt' | 'succeedAttempt';

/** The build and deployment of an attempt. */
type AttemptRefs = Pick<Provision, 'buildRef' | 'deploymentRef'>;

/** Actions that record the build or deployment of an attempt; `startAttempt` may be one of them. */
type RefActions<Name extends string, O, F> = Readonly<Record<Name, (acting: Acting<O, F>) => AttemptRefs>>;

type Status<O extends Provisioned> = Required<O>['status'];

/** The fields that a kind's own actions may write: all but attempts and counted failures. */
type OwnFields<O extends Provisioned> = {
  readonly [F in Exclude<keyof Status<O>, 'provision' | 'reconcileRetry'>]?: Status<O>[F] | null;
};

/** The actions of a kind besides those of attempts. */
export type OwnActions<Name extends string, O extends Provisioned, F> = Actions<Name, O, F, OwnFields<O>>;

/** What an object is blocked by: the message, as in Ready, and why it holds. */
export interface Blocked {
  readonly message: Message;
  readonly causes: readonly FoundCause[];
}

export interface AttemptOptions<O extends Provisioned, F, RefAction extends string = string> {
  /** Its blocker; null for none. */
  readonly blockedBy: (acting: Acting<O, F>) => Blocked | null;
  /** Whether an error without a running attempt starts one, or only a counted error does. */
  readonly firstError: 'withAttempt' | 'whenCounted';
  readonly refs: RefActions<RefAction, O, F>;
}

type ProvisionAction<O, F> = Action<O, F, { readonly provision?: Provision }>;

/** Builds the actions of attempts, which all provisioned kinds share. */
export function attemptActions<O extends Provisioned, F extends Pick<TriedFacts, 'retry'>>({
  blockedBy,
  firstError,
  refs,
}: AttemptOptions<O, F>): Readonly<Record<string, ProvisionAction<O, F>>> {
  const errorOf = (acting: Acting<O, F>): string | null => {
    const blocked = blockedBy(acting);
    return blocked && errorText(blocked.message, blocked.causes);
  };
  const withError = (acting: Acting<O, F>): Provision | undefined => {
    const { object, at } = acting;
    const { provision } = object.status ?? {};
    const message = errorOf(acting);
    if (message === null) return provision;
    const starts = firstError === 'withAttempt' && activeAttempt(provision) === undefined;
    return errorRecorded(starts ? attemptStarted(provision, at) : provision, { recordedAt: at, message });
  };

  const actions: Readonly<Record<AttemptAction, ProvisionAction<O, F>>> = {
    startAttempt: {
      // A failure counted in this pass is the first error of the attempt.
      patch: (acting) => {
        const { object, facts, at } = acting;
        const provision = attemptStarted(object.status?.provision, at);
        const message = hasCounted(facts) ? errorOf(acting) : null;
        return { provision: message === null ? provision : errorRecorded(provision, { recordedAt: at, message }) };
      },
    },
    recordFailure: {
      patch: (acting) => {
        const provision = withError(acting);
        return provision === undefined ? {} : { provision };
      },
    },
    // The failure that ends an attempt is its last error; one write of the field holds both.
    failAttempt: {
      patch: (acting) => ({
        provision: attemptEnded(withError(acting), { at: acting.at, phase: 'Failed', summary: acting.text }),
      }),
    },
    succeedAttempt: {
      patch: ({ object, at }) => ({
        provision: attemptEnded(object.status?.provision, { at, phase: 'Succeeded', summary: 'Provisioned' }),
      }),
    },
  };
  return { ...actions, ...refActions(actions, refs) };
}

/** Adds the build and deployment of the attempt to these actions. */
const refActions = <O extends Provisioned, F>(
  actions: Readonly<Record<string, ProvisionAction<O, F>>>,
  refs: RefActions<string, O, F>,
): Readonly<Record<string, ProvisionAction<O, F>>> =>
  Object.fromEntries(
    Object.entries(refs).map(([name, refsOf]): [string, ProvisionAction<O, F>] => [
      name,
      {
        patch: (writing) => {
          const provision = actions[name]?.patch?.(writing).provision ?? writing.object.status?.provision;
          return { provision: { ...provision, ...refsOf(writing) } };
        },
      },
    ]),
  );

import { Effect } from 'effect';
import { ActionFailed } from '../contract/lifecycle.ts';
import { refIn } from '../services/cluster/failedOn.ts';
import { unmanagedMessage } from './messages.ts';
import type { Unmanaged } from './diff.ts';
import type { Outcome } from './owning.ts';

/** Fails an action when an object that is not Core's has the name of a desired one. */
export const unlessUnmanaged =
  (action: string) =>
  ({ left: { unmanaged } }: Outcome): Effect.Effect<void, ActionFailed> =>
    unmanaged[0] === undefined ? Effect.void : Effect.fail(unmanagedFailure(action, unmanaged[0]));

const unmanagedFailure = (action: string, unmanaged: Unmanaged): ActionFailed =>
  new ActionFailed({
    action,
    retry: 'counted',
    message: unmanagedMessage(unmanaged),
    on: refIn(unmanaged.ref.resource, unmanaged.ref),
  });

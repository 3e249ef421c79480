import { Effect } from 'effect';
import { ActionFailed } from '../contract/lifecycle.ts';
import { objectRef } from './displayName.ts';
import { unmanagedMessage } from './messages.ts';
import type { Outcome } from './owning.ts';

/** Fails an action when an object that is not Core's has the name of a desired one. */
export const unlessUnmanaged =
  (action: string) =>
  ({ left: { unmanaged } }: Outcome): Effect.Effect<void, ActionFailed> => {
    const [first] = unmanaged;
    if (first === undefined) return Effect.void;
    const on = objectRef(first.ref);
    return Effect.fail(new ActionFailed({ action, retry: 'counted', message: unmanagedMessage(first), on }));
  };

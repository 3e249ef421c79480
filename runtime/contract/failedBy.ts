import type { ObjectRef } from '../../rules/cause/cause.ts';
import { errorMessage } from '../../rules/errorMessage.ts';
import { ActionFailed } from './lifecycle.ts';

/** An action that failed because a call did; it names the object that the call was about. */
export const failedBy = (
  action: string,
  retry: ActionFailed['retry'],
  error: Error & { readonly on?: ObjectRef },
): ActionFailed =>
  new ActionFailed({
    action,
    retry,
    message: errorMessage(error),
    ...(error.on === undefined ? {} : { on: error.on }),
  });

import type { ObjectRef } from '../../rules/cause/cause.ts';
import { isTermination } from '../../rules/cause/failedAction.ts';
import { errorMessage } from '../../rules/errorMessage.ts';
import { ActionFailed } from './lifecycle.ts';

/**
 * An action that failed because a call did; it names the object that the call was about. A namespace that is being
 * deleted is waited for: no retry would be counted against what stands in it.
 */
export const failedBy = (
  action: string,
  retry: ActionFailed['retry'],
  error: Error & { readonly on?: ObjectRef },
): ActionFailed =>
  new ActionFailed({
    action,
    retry: retry === 'counted' && isTermination({ why: error.message, on: error.on }) ? 'waiting' : retry,
    message: errorMessage(error),
    ...(error.on === undefined ? {} : { on: error.on }),
  });

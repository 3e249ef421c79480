import type { BaseFacts } from '../contract/lifecycle.ts';
import type { Stepper } from '../contract/stepper.ts';

/** A machine whose instances are no resources: no pass decides about them, only somebody who asks. */
export interface OnRequest extends Stepper<BaseFacts, string, string> {
  readonly storage: 'secret' | 'memory' | 'cookie';
}

/** Erases what readers need not know of it. */
export const onRequest = <Facts extends BaseFacts, State extends string, Event extends string>(
  of: Stepper<Facts, State, Event>,
): OnRequest => of as unknown as OnRequest;

import type { BaseFacts } from '../contract/lifecycle.ts';
import type { Stepper } from '../contract/stepper.ts';

/** A machine whose instances are not resources: only requests step it, no passes. */
export interface OnRequest extends Stepper<BaseFacts, string, string> {
  readonly storage: 'secret' | 'memory' | 'cookie';
}

/** Erases the types that readers need not know. */
export const onRequest = <Facts extends BaseFacts, State extends string, Event extends string>(
  of: Stepper<Facts, State, Event>,
): OnRequest => of as unknown as OnRequest;

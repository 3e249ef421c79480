import { deviceSignIn } from '../../../machines/deviceSignIn.ts';
import type { DeviceSignInEvent, DeviceSignInState } from '../../../machines/names.ts';
import { tables } from '../../../machines/tables.ts';
import { deviceSignInEvents } from '../../../rules/deviceSignIn/events.ts';
import type { DeviceSignInFacts } from '../../../rules/deviceSignIn/facts.ts';
import { type Absence, byState, requeueAfterMs } from '../../../rules/engine.ts';
import { transitionOf } from '../../../runtime/step/transitionOf.ts';
import type { Move } from '../../../runtime/step/step.ts';
import type { Stepper } from '../../../runtime/contract/stepper.ts';

export const deviceStepper: Stepper<DeviceSignInFacts, DeviceSignInState, DeviceSignInEvent['type']> = {
  name: 'deviceSignIn',
  storage: 'memory',
  machine: deviceSignIn,
  rules: byState(deviceSignInEvents),
  ...tables.deviceSignIn,
};

export interface DeviceTransition extends Move<DeviceSignInState, DeviceSignInEvent['type']> {
  /** Only a request changes anything before this time; ms since the epoch. */
  readonly requeueAt: number;
}

const looks = new Map(deviceSignInEvents.map(({ id, look: state }) => [id, state]));

/** The event for a device sign-in, or for the absence of one, by the facts. */
export function transitionDevice(state: DeviceSignInState | Absence, facts: DeviceSignInFacts): DeviceTransition {
  const transition = transitionOf(deviceStepper, state, facts);
  const look = looks.get(transition.rule);
  const requeueAt = look ? facts.now + requeueAfterMs(look, facts, facts.now) : Number.POSITIVE_INFINITY;
  return { ...transition, requeueAt };
}

import { deviceSignIn, type DeviceSignInState } from '../../../machines/deviceSignIn.ts';
import { tables } from '../../../machines/tables.ts';
import { type DeviceHappened, deviceSignInEvents } from '../../../rules/deviceSignIn/events.ts';
import type { DeviceSignInFacts } from '../../../rules/deviceSignIn/facts.ts';
import { type Absence, byState } from '../../../rules/engine.ts';
import { happen, type Happened, type Kept } from '../../../runtime/happen.ts';

const kept: Kept<DeviceSignInFacts, DeviceSignInState, DeviceHappened> = {
  name: 'deviceSignIn',
  machine: deviceSignIn,
  rules: byState(deviceSignInEvents),
  ...tables.deviceSignIn,
};

export type DeviceHappening = Happened<DeviceSignInState, DeviceHappened>;

/** What happens to a sign-in of a device, or where there is none, by what is known. */
export const deviceHappens = (state: DeviceSignInState | Absence, facts: DeviceSignInFacts): DeviceHappening =>
  happen(kept, state, facts);

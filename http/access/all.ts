import type { DeviceSignIns } from '../auth/device/signIns.ts';
import type { EpochKeeper } from '../auth/epochs.ts';
import type { AddressLockouts } from '../auth/lockout/address.ts';
import type { Sessions } from '../auth/sessions.ts';
import type { TokenStore } from '../auth/tokens.ts';
import type { ServedMachine } from '../routes/machines/servedMachine.ts';
import type { ServerContext } from '../context.ts';
import { addressMachine, deviceMachine, makeNaming } from './memory.ts';
import { nameMachine } from './names.ts';
import { servedAccess } from './served.ts';
import { sessionMachine } from './sessions.ts';
import { tokenMachine } from './tokens.ts';

/** The stores of the access machines. */
interface Keepers {
  readonly sessions: Sessions;
  readonly epochs: EpochKeeper;
  readonly tokens: TokenStore;
  readonly addresses: AddressLockouts;
  readonly devices: DeviceSignIns;
}

/** The machines of access: performed by requests, kept in Secrets, cookies and the leader's memory. */
export function accessMachines(context: ServerContext, keepers: Keepers): readonly ServedMachine[] {
  const { sessions, epochs, tokens, addresses, devices } = keepers;
  const naming = makeNaming(context);
  return [
    nameMachine(sessions),
    addressMachine(addresses, naming),
    tokenMachine(tokens),
    sessionMachine(sessions, epochs),
    deviceMachine(devices, naming),
  ].map((machine) => servedAccess(context, machine));
}

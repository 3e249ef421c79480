import { createHmac } from 'node:crypto';
import type { DeviceSignInState } from '../../machines/names.ts';
import { type AddressLockoutFacts, addressLockoutLimits } from '../../rules/addressLockout.ts';
import { deviceLimits } from '../../rules/deviceSignIn/events.ts';
import { leaseName, leases } from '../../runtime/lead/leaseRecord.ts';
import { onRequest } from '../../runtime/step/onRequest.ts';
import { widerNetwork } from '../auth/address.ts';
import { deviceStepper } from '../auth/device/lifecycle.ts';
import { deviceFacts, type DeviceRequest } from '../auth/device/requests.ts';
import type { DeviceSignIns } from '../auth/device/signIns.ts';
import { type AddressCount, type AddressLockouts, addressStepper } from '../auth/lockout/address.ts';
import type { Serving } from '../serving.ts';
import type { AccessItem, AccessMachine } from './accessMachine.ts';

/** What stands for the memory of the replica that leads. */
const lease: AccessMachine['object'] = { kind: leases.kind, plural: leases.plural, name: leaseName };

/** Names for what has none that may be told: the same for as long as this process runs, and nobody can go back from them. */
export type Naming = (text: string) => string;
export function makeNaming({ random }: Pick<Serving, 'random'>): Naming {
  const key = random(32);
  return (text) => createHmac('sha256', key).update(text).digest('hex').slice(0, 16);
}

function countItem({ address, ...count }: AddressCount, naming: Naming, now: number): AccessItem {
  const isRefused = now < count.refusedUntil;
  const facts: AddressLockoutFacts = { now, asked: null, reach: 'public', ...count };
  return {
    item: naming(address),
    subject: widerNetwork(address),
    scope: null,
    state: isRefused ? 'Refused' : 'Open',
    since: isRefused ? count.refusedUntil - addressLockoutLimits.refusalMs : count.since,
    facts,
    told: {},
    notes: [],
  };
}

/** The addresses whose failed sign-ins count now, none of them whole. */
export const addressMachine = ({ all }: Pick<AddressLockouts, 'all'>, naming: Naming): AccessMachine => ({
  machine: onRequest(addressStepper),
  object: lease,
  items: (now) => all().map((count) => countItem(count, naming, now)),
});

/** When a sign-in came to its state, as far as that is kept: of a decision it is not. */
const sinceIn = { Pending: 0, Expired: deviceLimits.lifetimeMs } as const satisfies Partial<
  Record<DeviceSignInState, number>
>;

function requestItem(request: DeviceRequest, naming: Naming, now: number): AccessItem {
  const { digest, client, state, issuedAt } = request;
  const since = state === 'Pending' || state === 'Expired' ? issuedAt + sinceIn[state] : null;
  const facts = deviceFacts(request, null, now);
  return { item: naming(digest), subject: client, scope: null, state, since, facts, told: {}, notes: [] };
}

/** The command lines that ask to be signed in, without their codes. */
export const deviceMachine = ({ all }: Pick<DeviceSignIns, 'all'>, naming: Naming): AccessMachine => ({
  machine: onRequest(deviceStepper),
  object: lease,
  items: (now) => all().map((request) => requestItem(request, naming, now)),
});

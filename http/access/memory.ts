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
import type { ServerContext } from '../context.ts';
import type { AccessItem, AccessMachine } from './accessMachine.ts';

/** Represents the memory of the leading replica. */
const lease: AccessMachine['object'] = { kind: leases.kind, plural: leases.plural, name: leaseName };

/** Opaque names for what may not be named: stable while this process runs, and not reversible. */
export type Naming = (text: string) => string;
export function makeNaming({ random }: Pick<ServerContext, 'random'>): Naming {
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
    shownFacts: {},
    notes: [],
  };
}

/** The addresses with counted failed sign-ins, shortened to their networks. */
export const addressMachine = ({ all }: Pick<AddressLockouts, 'all'>, naming: Naming): AccessMachine => ({
  machine: onRequest(addressStepper),
  object: lease,
  items: (now) => all().map((count) => countItem(count, naming, now)),
});

/** When a sign-in entered its state; the time of a decision is not stored. */
const sinceIn = { Pending: 0, Expired: deviceLimits.lifetimeMs } as const satisfies Partial<
  Record<DeviceSignInState, number>
>;

function requestItem(request: DeviceRequest, naming: Naming, now: number): AccessItem {
  const { digest, client, state, issuedAt } = request;
  const since = state === 'Pending' || state === 'Expired' ? issuedAt + sinceIn[state] : null;
  const facts = deviceFacts(request, null, now);
  return { item: naming(digest), subject: client, scope: null, state, since, facts, shownFacts: {}, notes: [] };
}

/** The command lines that request a sign-in, without their codes. */
export const deviceMachine = ({ all }: Pick<DeviceSignIns, 'all'>, naming: Naming): AccessMachine => ({
  machine: onRequest(deviceStepper),
  object: lease,
  items: (now) => all().map((request) => requestItem(request, naming, now)),
});

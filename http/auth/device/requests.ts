import type { DeviceSignInState } from '../../../machines/deviceSignIn.ts';
import type { Role } from '../../../rules/access/caller.ts';
import { type DevicePolls, firstPolls } from '../../../rules/deviceSignIn/data.ts';
import type { DeviceAsked, DeviceSignInFacts } from '../../../rules/deviceSignIn/facts.ts';
import { type DeviceHappening, deviceHappens } from './lifecycle.ts';

/** What an admin chose; the token is not minted before the device collects it. */
export interface Approval {
  readonly tokenId: string;
  readonly role: Role;
  readonly days: number;
  readonly approver: string;
}

/** A command line that asks to be signed in. */
export interface DeviceRequest extends DevicePolls {
  /** SHA-256 of the device code, which is kept nowhere. */
  readonly digest: string;
  readonly userCode: string;
  readonly client: string;
  /** What starts are counted under, and what the approver is shown. */
  readonly address: string;
  readonly state: DeviceSignInState;
  /** ms since the epoch. */
  readonly issuedAt: number;
  /** Until then time alone changes nothing of it. */
  readonly lookAt: number;
  readonly approval: Approval | null;
}

/** A request after what happened to it. */
export const moved = (
  request: DeviceRequest,
  { to, lookAt }: DeviceHappening,
  change: Partial<Pick<DeviceRequest, 'approval' | keyof DevicePolls>> = {},
): DeviceRequest => {
  if (to === '(none)' || to === '(deleted)') throw new Error('a sign-in that is gone was to be kept');
  return { ...request, ...change, state: to, lookAt };
};

export type NewRequest = Pick<DeviceRequest, 'digest' | 'userCode' | 'client' | 'address'>;

/** The requests, in memory: a restart loses them, and what is over is forgotten. */
export interface DeviceRequests {
  /** Stored where the rules say that it started. */
  readonly start: (asked: NewRequest) => DeviceHappening;
  readonly byDigest: (digest: string) => DeviceRequest | undefined;
  readonly byUserCode: (userCode: string) => DeviceRequest | undefined;
  readonly all: () => readonly DeviceRequest[];
  /** What happens to a request that this is asked of; nothing of it is stored yet. */
  readonly ask: (request: DeviceRequest, asked: DeviceAsked) => DeviceHappening;
  readonly save: (request: DeviceRequest) => void;
}

const minuteMs = 60_000;

export function deviceRequests(now: () => number): DeviceRequests {
  const requests = new Map<string, DeviceRequest>();

  const factsOf = (request: DeviceRequest, asked: DeviceAsked | null): DeviceSignInFacts => ({
    now: now(),
    asked,
    pending: 0,
    startsOfAddress: 0,
    issuedAt: request.issuedAt,
    lastPollAt: request.lastPollAt,
    intervalMs: request.intervalMs,
  });

  /** What time alone made of a request: it may have expired, or be forgotten. */
  const settle = (request: DeviceRequest | undefined): DeviceRequest | undefined => {
    if (!request || now() < request.lookAt) return request;
    const happened = deviceHappens(request.state, factsOf(request, null));
    if (happened.to === request.state) return request;
    if (happened.to === '(deleted)') return void requests.delete(request.digest);
    const next = moved(request, happened);
    requests.set(next.digest, next);
    return settle(next);
  };
  const all = () => [...requests.values()].flatMap((request) => settle(request) ?? []);

  return {
    all,
    byDigest: (digest) => settle(requests.get(digest)),
    byUserCode: (userCode) => settle([...requests.values()].find((request) => request.userCode === userCode)),
    ask: (request, asked) => deviceHappens(request.state, factsOf(request, asked)),
    save: (request) => void requests.set(request.digest, request),
    start: (asked) => {
      const known = all();
      const issuedAt = now();
      const isRecent = (one: DeviceRequest) => one.address === asked.address && issuedAt < one.issuedAt + minuteMs;
      const happened = deviceHappens('(none)', {
        now: issuedAt,
        asked: { is: 'start' },
        pending: known.filter(({ state }) => state === 'Pending').length,
        startsOfAddress: known.filter(isRecent).length,
        issuedAt,
        ...firstPolls,
      });
      if (happened.actions.includes('issueCodes')) {
        const { lookAt } = happened;
        const { digest } = asked;
        requests.set(digest, { ...asked, ...firstPolls, state: 'Pending', issuedAt, lookAt, approval: null });
      }
      return happened;
    },
  };
}

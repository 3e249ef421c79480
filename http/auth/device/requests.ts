import type { DeviceSignInState } from '../../../machines/names.ts';
import type { Role } from '../../../rules/access/caller.ts';
import { type DevicePolls, firstPolls, reckonedFrom } from '../../../rules/deviceSignIn/data.ts';
import { givesWay, type Origin } from '../../../rules/share.ts';
import type { DeviceAsked, DeviceSignInFacts } from '../../../rules/deviceSignIn/facts.ts';
import { type DeviceTransition, transitionDevice } from './lifecycle.ts';

/** The choice of an admin; the token is minted only when the device collects it. */
export interface Approval {
  readonly tokenId: string;
  readonly role: Role;
  readonly days: number;
  readonly approver: string;
}

/** A command line that requests a sign-in. Starts are counted by its address, which the approver sees. */
export interface DeviceRequest extends DevicePolls, Origin {
  /** SHA-256 of the device code, which is not stored. */
  readonly digest: string;
  readonly userCode: string;
  readonly client: string;
  readonly state: DeviceSignInState;
  /** ms since the epoch. */
  readonly issuedAt: number;
  /** Time alone changes nothing before this; ms since the epoch. */
  readonly requeueAt: number;
  readonly approval: Approval | null;
}

/** A request after an event. */
export const moved = (
  request: DeviceRequest,
  { to, requeueAt }: DeviceTransition,
  change: Partial<Pick<DeviceRequest, 'approval' | keyof DevicePolls>> = {},
): DeviceRequest => {
  if (to === '(none)' || to === '(deleted)') throw new Error('a sign-in that is gone was to be kept');
  return { ...request, ...change, state: to, requeueAt };
};

export type NewRequest = Pick<DeviceRequest, 'digest' | 'userCode' | 'client' | 'peer' | 'address'>;

/** The requests, in memory: a restart loses them, and finished ones are removed. */
export interface DeviceRequests {
  /** Stored when the rules say that the sign-in has started. */
  readonly start: (asked: NewRequest) => DeviceTransition;
  readonly byDigest: (digest: string) => DeviceRequest | undefined;
  readonly byUserCode: (userCode: string) => DeviceRequest | undefined;
  readonly all: () => readonly DeviceRequest[];
  /** The event that follows from asking this of a request; nothing is stored yet. */
  readonly ask: (request: DeviceRequest, asked: DeviceAsked) => DeviceTransition;
  readonly save: (request: DeviceRequest) => DeviceRequest;
}

const minuteMs = 60_000;

/** The facts of a request; `asked` is null where only time may have changed it. */
export const deviceFacts = (request: DeviceRequest, asked: DeviceAsked | null, now: number): DeviceSignInFacts => ({
  now,
  asked,
  pending: 0,
  mayGiveWay: false,
  startsOfAddress: 0,
  issuedAt: request.issuedAt,
  lastPollAt: request.lastPollAt,
  intervalMs: request.intervalMs,
});

export function deviceRequests(now: () => number): DeviceRequests {
  const requests = new Map<string, DeviceRequest>();

  const factsOf = (request: DeviceRequest, asked: DeviceAsked | null) => deviceFacts(request, asked, now());

  const store = (request: DeviceRequest): DeviceRequest => {
    requests.set(request.digest, request);
    return request;
  };
  const isAhead = ({ issuedAt, lastPollAt }: DeviceRequest) => issuedAt > now() || (lastPollAt ?? 0) > now();

  /** Applies the time that has passed to a request: it may expire or be removed. */
  const settle = (request: DeviceRequest | undefined): DeviceRequest | undefined => {
    if (!request || (now() < request.requeueAt && !isAhead(request))) return request;
    const transition = transitionDevice(request.state, factsOf(request, null));
    if (transition.actions.includes('reckonFromNow'))
      return settle(store(moved(reckonedFrom(request, now()), transition)));
    if (transition.to === request.state) return request;
    if (transition.to === '(deleted)') return void requests.delete(request.digest);
    return settle(store(moved(request, transition)));
  };
  const all = () => [...requests.values()].flatMap((request) => settle(request) ?? []);

  return {
    all,
    byDigest: (digest) => settle(requests.get(digest)),
    byUserCode: (userCode) => settle([...requests.values()].find((request) => request.userCode === userCode)),
    ask: (request, asked) => transitionDevice(request.state, factsOf(request, asked)),
    save: store,
    start: (asked) => {
      const known = all();
      const issuedAt = now();
      const pending = known.filter(({ state }) => state === 'Pending');
      const givingWay = givesWay(pending, asked);
      const isRecent = (one: DeviceRequest) => one.address === asked.address && issuedAt < one.issuedAt + minuteMs;
      const transition = transitionDevice('(none)', {
        now: issuedAt,
        asked: { is: 'start' },
        pending: pending.length,
        mayGiveWay: givingWay !== null,
        startsOfAddress: known.filter(isRecent).length,
        issuedAt,
        ...firstPolls,
      });
      if (givingWay !== null && transition.actions.includes('makeRoom')) {
        const gone = { is: 'giveWay' } as const;
        store(moved(givingWay, transitionDevice(givingWay.state, factsOf(givingWay, gone))));
      }
      if (transition.actions.includes('issueCodes')) {
        const { requeueAt } = transition;
        const { digest } = asked;
        requests.set(digest, { ...asked, ...firstPolls, state: 'Pending', issuedAt, requeueAt, approval: null });
      }
      return transition;
    },
  };
}

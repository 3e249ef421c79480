import { Effect, Result } from 'effect';
import type { Caller, Role } from '../../../rules/access/caller.ts';
import { type PollSeen, pollAnswer } from '../../../rules/deviceSignIn/answer.ts';
import { grantedAccess, polledAt, slowedDown } from '../../../rules/deviceSignIn/data.ts';
import { messageOf } from '../../../rules/verdict.ts';
import type { ServerContext } from '../../context.ts';
import { firstCharacters } from '../printable.ts';
import type { TokenFailure } from '../tokens/vault.ts';
import type { TokenStore } from '../tokens.ts';
import { digestOf, drawDeviceCode, drawUserCode, enteredUserCode } from './codes.ts';
import { type Approval, type DeviceRequest, deviceRequests, moved, type NewRequest } from './requests.ts';

type Started =
  | { readonly is: 'started'; readonly deviceCode: string; readonly userCode: string }
  | { readonly is: 'refused'; readonly error: 'slow_down' | 'temporarily_unavailable' };

type PollResult =
  | { readonly is: 'token'; readonly text: string; readonly seconds: number }
  | { readonly is: 'error'; readonly error: string };

export type Decided =
  | { readonly is: 'decided'; readonly request: DeviceRequest }
  | { readonly is: 'unknown' | 'bad' | 'forbidden' | 'over'; readonly message: string };

/** The choice of an approver; a null access means the default of the page. */
interface Choice {
  readonly access: string | null;
  readonly days: number;
}

/** Device sign-in of command lines: each step is a row of specs/tables/deviceSignIn.md. */
export interface DeviceSignIns {
  readonly start: (client: Pick<NewRequest, 'client' | 'peer' | 'address'>) => Started;
  readonly poll: (deviceCode: string) => Promise<Result.Result<PollResult, TokenFailure>>;
  /** Those in memory, over or not. */
  readonly all: () => readonly DeviceRequest[];
  readonly find: (userCode: string) => DeviceRequest | undefined;
  readonly approve: (userCode: string, by: Caller, choice: Choice) => Decided;
  readonly refuse: (userCode: string, by: Caller) => Decided;
}

const maxNamed = 64;
const dayS = 86_400;

/** Answers polls of devices, and hands over each token once. */
function makePoll(
  { now, run }: ServerContext,
  tokens: Pick<TokenStore, 'collect'>,
  requests: ReturnType<typeof deviceRequests>,
): DeviceSignIns['poll'] {
  /** Hand-overs in progress: another poll of the same device waits for the first to end. */
  const handingOver = new Map<string, Promise<unknown>>();

  /** Stores the hash, then returns the secret. */
  const mint = ({ client }: DeviceRequest, { tokenId: id, role, days, approver }: Approval) => {
    const name = firstCharacters(client, maxNamed).trim();
    const collected = Effect.suspend(() => tokens.collect({ id, name, role, days, approver }));
    return run(Effect.map(collected, ({ text }): PollResult => ({ is: 'token', text, seconds: days * dayS })));
  };
  /** When the token cannot be stored, nothing is handed over and the request stays as it was. */
  const handOver = async (request: DeviceRequest, approval: Approval) => {
    let isDone = false;
    try {
      const minted = await mint(request, approval);
      isDone = Result.isSuccess(minted);
      return minted;
    } finally {
      if (!isDone) requests.save(request);
      handingOver.delete(request.digest);
    }
  };

  return async (deviceCode) => {
    const digest = digestOf(deviceCode);
    while (handingOver.has(digest)) await handingOver.get(digest);
    const request = requests.byDigest(digest);
    const transition = request && requests.ask(request, { is: 'poll' });
    if (request?.approval && transition?.actions.includes('handOver')) {
      requests.save(moved(request, transition));
      const handing = handOver(request, request.approval);
      const ended = handing.catch(() => undefined);
      handingOver.set(digest, ended);
      return handing;
    }
    if (request && transition?.actions.includes('recordPoll')) {
      const polled = polledAt(request, now());
      requests.save(moved(request, transition, transition.actions.includes('slowDown') ? slowedDown(polled) : polled));
    }
    const seen: PollSeen = { event: transition?.event ?? 'unknownCodePolled' };
    return Result.succeed({ is: 'error', error: messageOf('DevicePoll', pollAnswer, seen) });
  };
}

export function makeDeviceSignIns(
  context: ServerContext,
  tokens: Pick<TokenStore, 'collect' | 'freeId'>,
): DeviceSignIns {
  const { now, random, log } = context;
  const requests = deviceRequests(now);
  const freeUserCode = (): string => {
    for (;;) {
      const code = drawUserCode(random);
      if (requests.all().every(({ userCode }) => userCode !== code)) return code;
    }
  };
  const freeTokenId = () => tokens.freeId(new Set(requests.all().flatMap(({ approval }) => approval?.tokenId ?? [])));

  const poll = makePoll(context, tokens, requests);

  const unknown: Decided = { is: 'unknown', message: 'no sign-in has this code' };

  return {
    poll,
    all: requests.all,
    find: (userCode) => requests.byUserCode(enteredUserCode(userCode)),

    start: (asking) => {
      const [deviceCode, userCode] = [drawDeviceCode(random), freeUserCode()];
      const { event, actions } = requests.start({ ...asking, digest: digestOf(deviceCode), userCode });
      if (actions.includes('issueCodes')) return { is: 'started', deviceCode, userCode };
      return { is: 'refused', error: event === 'startedTooOften' ? 'slow_down' : 'temporarily_unavailable' };
    },

    approve: (userCode, by, { access, days }) => {
      const request = requests.byUserCode(enteredUserCode(userCode));
      if (!request) return unknown;
      const decider = { with: by.with, role: by.role };
      const transition = requests.ask(request, { is: 'approve', by: decider, access, lifetimeDays: days });
      const { event, actions, text } = transition;
      if (!actions.includes('recordApproval')) return { is: refusals[event] ?? 'over', message: text };
      const approval: Approval = {
        tokenId: freeTokenId(),
        role: grantedAccess(access) as Role,
        days,
        approver: by.username,
      };
      const approved = moved(request, transition, { approval });
      requests.save(approved);
      if (actions.includes('logApproval')) {
        const { tokenId, role, approver } = approval;
        log('info', text, { tokenId, role, client: request.client, approver });
      }
      return { is: 'decided', request: approved };
    },

    refuse: (userCode, by) => {
      const request = requests.byUserCode(enteredUserCode(userCode));
      if (!request) return unknown;
      const transition = requests.ask(request, { is: 'refuse', by: { with: by.with, role: by.role } });
      const { event, text } = transition;
      if (event !== 'refused') return { is: refusals[event] ?? 'over', message: text };
      const refused = moved(request, transition);
      requests.save(refused);
      return { is: 'decided', request: refused };
    },
  };
}

const refusals: Readonly<Record<string, Exclude<Decided['is'], 'decided'>>> = {
  choiceRefused: 'bad',
  tokenTriedToDecide: 'forbidden',
  viewerTriedToDecide: 'forbidden',
};

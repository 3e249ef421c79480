import { messageOf, type VerdictRule } from '../verdict.ts';
import type { ConsoleSessionFacts } from './facts.ts';
import { type ConsoleSessionLimits, consoleSessionLimits } from './limits.ts';
import { closed, type Message } from '../words.ts';

/** A terminal request and the session it is for; `unfit` when its pod does not run or is not the service's. */
export interface AttachAsked extends Pick<ConsoleSessionFacts, 'byCookie' | 'originMatches' | 'attachWaitedMs'> {
  readonly session: 'absent' | 'pending' | 'active' | 'unfit' | 'attached' | 'ended';
}

/** Only a request that carries a cookie can be sent by a foreign page. */
export const isOtherOrigin = ({ byCookie, originMatches }: Pick<AttachAsked, 'byCookie' | 'originMatches'>): boolean =>
  byCookie && !originMatches;

/**
 * The answer to a terminal request, in the order checked: a foreign page learns nothing about a session. The caller's
 * role is not checked again.
 */
const attachAnswerWith = (limits: ConsoleSessionLimits): readonly VerdictRule<AttachAsked>[] => [
  {
    reason: 'OriginRefused',
    status: 'False',
    when: isOtherOrigin,
    message: () => closed('request origin could not be verified'),
  },
  {
    reason: 'SessionMissing',
    status: 'False',
    when: ({ session }) => session === 'absent',
    message: () => closed('console session was not found'),
  },
  {
    reason: 'SessionEnded',
    status: 'False',
    when: ({ session }) => session === 'ended',
    message: () => closed('console session has ended'),
  },
  {
    reason: 'TerminalOpen',
    status: 'False',
    when: ({ session }) => session === 'attached',
    message: () => closed('this console session already has an open terminal'),
  },
  {
    reason: 'NotStarted',
    status: 'False',
    when: ({ session, attachWaitedMs }) => session === 'pending' && attachWaitedMs >= limits.attachWaitMs,
    message: () => closed('console session has not started'),
  },
  {
    reason: 'Starting',
    status: 'Unknown',
    when: ({ session }) => session === 'pending',
    message: () => closed('waiting for the console session to start'),
  },
  {
    reason: 'PodUnfit',
    status: 'False',
    when: ({ session }) => session === 'unfit',
    message: () => closed('pod is not running or pod is not part of the app'),
  },
  { reason: 'Opened', status: 'True', when: () => true, message: () => closed('Console terminal opened') },
];

export const attachAnswer = attachAnswerWith(consoleSessionLimits);

/** The message for each answer to a terminal request. */
export const attachText = (
  session: AttachAsked['session'],
  asked: Omit<AttachAsked, 'session'>,
  limits: ConsoleSessionLimits,
): Message => messageOf('Attach', attachAnswerWith(limits), { ...asked, session });

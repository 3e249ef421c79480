import type { ConsoleSessionEvent, ConsoleSessionState } from '../../machines/names.ts';
import { type Absence, type EventRule, ruleFor } from '../engine.ts';
import { firstHeld } from '../verdict.ts';
import { attachText, isOtherOrigin } from './attach.ts';
import { createAnswerWith } from './create.ts';
import type { ConsoleSessionFacts } from './facts.ts';
import { type ConsoleSessionLimits, consoleSessionLimits } from './limits.ts';
import { limitAt, timeoutOf } from './timeout.ts';
import { closed, sentence, toViewers } from '../words.ts';

type Known = Omit<ConsoleSessionFacts, 'holder' | 'target'>;
type Rule = EventRule<ConsoleSessionFacts, ConsoleSessionState | Absence, ConsoleSessionEvent['type']>;
const rule = ruleFor<ConsoleSessionFacts, ConsoleSessionState | Absence, ConsoleSessionEvent['type']>();
const always = () => true;
const create = ['create'] as const;
const attach = ['attach'] as const;

/**
 * The time limit precedes every terminal request, because an expired session opens none. Of a request the origin is
 * checked first, so that a foreign page learns nothing.
 */
export const consoleSessionEventsWith = (limits: ConsoleSessionLimits): readonly Rule[] => {
  const createAnswer = createAnswerWith(limits);
  const answered = (facts: Known) => firstHeld('Create', createAnswer, facts);
  const over = (facts: Known) => facts.now >= limitAt(facts, limits);
  const atLimit = { at: 'limit', moment: (facts: Known) => limitAt(facts, limits) };
  const attachMessage = (session: Parameters<typeof attachText>[0]) => (facts: Known) =>
    attachText(session, facts, limits);
  const runsMessage = ({ timeoutSeconds }: Known) =>
    sentence('its {seconds} seconds are not over', { seconds: toViewers(timeoutOf(timeoutSeconds, limits)) });

  return [
    rule({
      id: 'create-refused',
      in: ['(none)'],
      answers: create,
      refuses: true,
      when: (facts) => answered(facts).status === 'False',
      then: 'createRefused',
      says: (facts) => answered(facts).message(facts),
    }),
    rule({
      id: 'created',
      in: ['(none)'],
      answers: create,
      when: always,
      then: 'created',
      says: (facts) => answered(facts).message(facts),
      look: { afterMs: 0 },
    }),
    rule({
      id: 'attach-origin-elsewhere',
      in: ['(none)', 'Expired', 'Closed'],
      answers: attach,
      refuses: true,
      when: isOtherOrigin,
      then: 'originRefused',
      says: attachMessage('absent'),
    }),
    rule({
      id: 'session-missing',
      in: ['(none)'],
      answers: attach,
      refuses: true,
      when: always,
      then: 'sessionMissed',
      says: attachMessage('absent'),
    }),

    rule({
      id: 'attach-origin-pending',
      in: ['Pending'],
      answers: attach,
      refuses: true,
      when: isOtherOrigin,
      then: 'originRefused',
      says: attachMessage('pending'),
      look: { afterMs: 0 },
    }),
    rule({
      id: 'attach-waited-out',
      in: ['Pending'],
      answers: attach,
      refuses: true,
      when: (facts) => facts.attachWaitedMs >= limits.attachWaitMs,
      then: 'attachGivenUp',
      says: attachMessage('pending'),
      look: { afterMs: 0 },
    }),
    rule({
      id: 'attach-waits',
      in: ['Pending'],
      answers: attach,
      when: always,
      then: 'attachAwaited',
      says: attachMessage('pending'),
      look: { afterMs: 1_000 },
    }),
    rule({
      id: 'started',
      in: ['Pending'],
      when: always,
      then: 'activated',
      says: () => closed('the session is new: its time runs from now'),
      look: { afterMs: 0 },
    }),

    rule({
      id: 'limit-reached',
      in: ['Active'],
      finds: true,
      when: over,
      then: 'limitReached',
      says: () => closed('Session timeout'),
    }),
    rule({
      id: 'terminal-limit-reached',
      in: ['Attached'],
      finds: true,
      when: over,
      then: 'limitReached',
      says: () => closed('Session time limit reached'),
    }),
    // A terminal whose process died counts as closed, so this precedes the refusal of a second one.
    rule({
      id: 'holder-dead',
      in: ['Attached'],
      finds: true,
      needs: ['holder'],
      when: ({ holder }) => holder.value === 'dead',
      then: 'holderDied',
      says: () => closed('Console terminal closed: the process that held it is gone'),
      look: atLimit,
    }),
    rule({
      id: 'attach-origin',
      in: ['Active', 'Attached'],
      answers: attach,
      refuses: true,
      when: isOtherOrigin,
      then: 'originRefused',
      says: attachMessage('active'),
      look: atLimit,
    }),
    rule({
      id: 'attach-unfit',
      in: ['Active'],
      answers: attach,
      refuses: true,
      needs: ['target'],
      when: ({ target }) => target.value === 'unfit',
      then: 'targetUnfit',
      says: attachMessage('unfit'),
      look: atLimit,
    }),
    rule({
      id: 'attach-granted',
      in: ['Active'],
      answers: attach,
      when: always,
      then: 'attached',
      says: attachMessage('active'),
      look: atLimit,
    }),
    rule({
      id: 'limit-ahead',
      in: ['Active'],
      when: always,
      then: 'limitAhead',
      says: runsMessage,
      look: atLimit,
    }),

    rule({
      id: 'terminal-ended',
      in: ['Attached'],
      answers: ['endTerminal'],
      when: ({ isHolder }) => isHolder,
      then: 'terminalEnded',
      says: () => closed('Terminal closed'),
    }),
    rule({
      id: 'stream-ended',
      in: ['Attached'],
      answers: ['endStream'],
      when: ({ isHolder }) => isHolder,
      then: 'streamEnded',
      says: () => closed('Stream ended'),
    }),
    rule({
      id: 'attach-second',
      in: ['Attached'],
      answers: attach,
      refuses: true,
      when: always,
      then: 'secondAttachRefused',
      says: attachMessage('attached'),
      look: atLimit,
    }),
    rule({
      id: 'terminal-limit-ahead',
      in: ['Attached'],
      when: always,
      then: 'limitAhead',
      says: runsMessage,
      look: atLimit,
    }),

    rule({
      id: 'attach-late',
      in: ['Expired', 'Closed'],
      answers: attach,
      refuses: true,
      when: always,
      then: 'lateAttachRefused',
      says: attachMessage('ended'),
    }),
  ];
};

export const consoleSessionEvents = consoleSessionEventsWith(consoleSessionLimits);

import type { ConsoleSessionEvent, ConsoleSessionState } from '../../machines/consoleSession.ts';
import { type Absence, type EventRule, ruleFor } from '../engine.ts';
import { readOut } from '../verdict.ts';
import { attachText, originForeign } from './attach.ts';
import { createAnswerWith } from './create.ts';
import type { ConsoleSessionFacts } from './facts.ts';
import { type ConsoleSessionLimits, consoleSessionLimits } from './limits.ts';
import { limitAt, timeoutOf } from './timeout.ts';

type Known = Omit<ConsoleSessionFacts, 'holder'>;
type Rule = EventRule<ConsoleSessionFacts, ConsoleSessionState | Absence, ConsoleSessionEvent['type']>;
const rule = ruleFor<ConsoleSessionFacts, ConsoleSessionState | Absence, ConsoleSessionEvent['type']>();
const asksCreate = ({ asked }: Known) => asked === 'create';
const asksAttach = ({ asked }: Known) => asked === 'attach';

/** The limit comes before any terminal: a session that is over opens none. */
export const consoleSessionEventsWith = (limits: ConsoleSessionLimits): readonly Rule[] => {
  const createAnswer = createAnswerWith(limits);
  const answered = (facts: Known) => readOut('Create', createAnswer, facts);
  const over = (facts: Known) => facts.now >= limitAt(facts, limits);
  const atLimit = { at: 'limit', moment: (facts: Known) => limitAt(facts, limits) };
  const attachSays = (session: Parameters<typeof attachText>[0]) => (facts: Known) =>
    attachText(session, facts, limits);
  const runsSays = ({ timeoutSeconds }: Known) => `its ${timeoutOf(timeoutSeconds, limits)} seconds are not over`;

  return [
    rule({
      id: 'create-refused',
      in: ['(none)'],
      when: (facts) => asksCreate(facts) && answered(facts).status === 'False',
      then: 'createRefused',
      says: (facts) => answered(facts).message,
    }),
    rule({
      id: 'created',
      in: ['(none)'],
      when: asksCreate,
      then: 'created',
      says: (facts) => answered(facts).message,
      look: { afterMs: 0 },
    }),
    rule({
      id: 'session-missing',
      in: ['(none)'],
      when: asksAttach,
      then: 'sessionMissed',
      says: attachSays('absent'),
    }),

    rule({
      id: 'attach-waited-out',
      in: ['Pending'],
      when: (facts) => asksAttach(facts) && facts.attachWaitedMs >= limits.attachWaitMs,
      then: 'attachGivenUp',
      says: attachSays('pending'),
      look: { afterMs: 0 },
    }),
    rule({
      id: 'attach-waits',
      in: ['Pending'],
      when: asksAttach,
      then: 'attachAwaited',
      says: attachSays('pending'),
      look: { afterMs: 1_000 },
    }),
    rule({
      id: 'started',
      in: ['Pending'],
      when: () => true,
      then: 'activated',
      says: () => 'the session is new: its time runs from now',
      look: { afterMs: 0 },
    }),

    rule({
      id: 'limit-reached',
      in: ['Active'],
      when: over,
      then: 'limitReached',
      says: () => 'Session timeout',
    }),
    rule({
      id: 'attach-origin',
      in: ['Active'],
      when: (facts) => asksAttach(facts) && originForeign(facts),
      then: 'originRefused',
      says: attachSays('active'),
      look: atLimit,
    }),
    rule({
      id: 'attach-granted',
      in: ['Active'],
      when: asksAttach,
      then: 'attached',
      says: attachSays('active'),
      look: atLimit,
    }),
    rule({
      id: 'limit-ahead',
      in: ['Active'],
      when: () => true,
      then: 'limitAhead',
      says: runsSays,
      look: atLimit,
    }),

    rule({
      id: 'terminal-limit-reached',
      in: ['Attached'],
      when: over,
      then: 'limitReached',
      says: () => 'Session time limit reached',
    }),
    // A terminal whose process died counts as none, so this comes before a second one is refused.
    rule({
      id: 'holder-dead',
      in: ['Attached'],
      needs: ['holder'],
      when: ({ holder }) => holder.value === 'dead',
      then: 'holderDied',
      says: () => 'Console terminal closed: the process that held it is gone',
      look: atLimit,
    }),
    rule({
      id: 'attach-second',
      in: ['Attached'],
      when: asksAttach,
      then: 'secondAttachRefused',
      says: attachSays('attached'),
      look: atLimit,
    }),
    rule({
      id: 'terminal-limit-ahead',
      in: ['Attached'],
      when: () => true,
      then: 'limitAhead',
      says: runsSays,
      look: atLimit,
    }),

    rule({
      id: 'attach-late',
      in: ['Expired', 'Closed'],
      when: asksAttach,
      then: 'lateAttachRefused',
      says: attachSays('ended'),
    }),
  ];
};

export const consoleSessionEvents = consoleSessionEventsWith(consoleSessionLimits);

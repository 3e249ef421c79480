import type { SleepSettingEvent, SleepSettingState } from '../../machines/names.ts';
import { type Absence, type EventRule, ruleFor } from '../engine.ts';
import { messageOf } from '../verdict.ts';
import { canSleep, deadlineOf, isOutOfRange, isRefused } from './answer.ts';
import { type SleepLimits, sleepLimits, type SleepSettingFacts } from './facts.ts';
import { sleepMessage } from './message.ts';

type State = SleepSettingState | Absence;
type Event = SleepSettingEvent['type'];

const rule = ruleFor<SleepSettingFacts, State, Event>();

const reported = (facts: SleepSettingFacts) => messageOf('Message', sleepMessage, facts);

/** The events of a sleep setting with these limits, in the order of specs/tables/sleepSetting.md. */
export const sleepSettingEventsWith = (limits: SleepLimits): readonly EventRule<SleepSettingFacts, State, Event>[] => [
  rule({
    id: 'duration-refused',
    in: ['(none)'],
    when: (facts) => isOutOfRange(facts, limits),
    then: 'durationRefused',
    says: reported,
  }),
  rule({
    id: 'setting-refused',
    in: ['(none)'],
    when: ({ setting }) => setting.is === 'refused',
    then: 'settingRefused',
    says: reported,
  }),
  rule({
    id: 'always-on-saved',
    in: ['(none)'],
    when: ({ wanted }) => wanted.is === 'alwaysOn',
    then: 'alwaysOnSaved',
    says: reported,
  }),
  rule({
    id: 'setting-saved',
    in: ['(none)'],
    when: () => true,
    then: 'settingSaved',
    says: reported,
    look: { afterMs: 0 },
  }),

  rule({
    id: 'sleep-found',
    in: ['Saved'],
    when: (facts) => canSleep(facts) === true,
    then: 'sleepFound',
    says: reported,
  }),
  rule({
    id: 'sleep-refused',
    in: ['Saved'],
    when: (facts) => canSleep(facts) === false,
    then: 'sleepRefused',
    says: reported,
  }),
  rule({ id: 'status-refused', in: ['Saved'], when: isRefused, then: 'statusRefused', says: reported }),
  rule({
    id: 'answer-missed',
    in: ['Saved'],
    when: (facts) => facts.now >= deadlineOf(facts, limits),
    then: 'answerMissed',
    says: reported,
  }),
  rule({
    id: 'answer-awaited',
    in: ['Saved'],
    when: () => true,
    then: 'answerAwaited',
    says: reported,
    look: { at: 'poll', moment: (facts) => Math.min(facts.now + limits.pollMs, deadlineOf(facts, limits)) },
  }),
];

/** The events of a sleep setting: the first rule that holds decides. */
export const sleepSettingEvents = sleepSettingEventsWith(sleepLimits);

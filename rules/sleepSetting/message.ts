import { durationText } from '../time.ts';
import type { VerdictRule } from '../verdict.ts';
import { canSleep, deadlineOf, isOutOfRange, isRefused } from './answer.ts';
import type { SleepSettingFacts } from './facts.ts';

const isNew = ({ savedAt }: SleepSettingFacts) => savedAt === null;
const reasonOf = ({ answer }: SleepSettingFacts) => (answer.is === 'found' && answer.message) || 'no reason was given';

/** What the command prints of a sleep setting. */
export const sleepMessage: readonly VerdictRule<SleepSettingFacts>[] = [
  {
    reason: 'DurationRefused',
    status: 'False',
    when: (facts) => isNew(facts) && isOutOfRange(facts),
    message: () => '--sleep-after must be 30 seconds to 24 hours',
  },
  {
    reason: 'SettingRefused',
    status: 'False',
    when: (facts) => isNew(facts) && facts.setting.is === 'refused',
    message: ({ setting }) => (setting.is === 'refused' ? setting.why : ''),
  },
  {
    reason: 'AlwaysOn',
    status: 'True',
    when: (facts) => isNew(facts) && facts.wanted.is === 'alwaysOn',
    message: ({ app }) => `${app} stays running`,
  },
  {
    reason: 'Saved',
    status: 'Unknown',
    when: isNew,
    message: ({ app }) => `saved, the cluster is asked whether ${app} can sleep`,
  },
  {
    reason: 'Sleeps',
    status: 'True',
    when: (facts) => canSleep(facts) === true,
    message: ({ app, wanted }) =>
      `${app} sleeps after ${durationText(wanted.is === 'sleepAfter' ? wanted.ms : 0)} without requests`,
  },
  {
    reason: 'StaysRunning',
    status: 'False',
    when: (facts) => canSleep(facts) === false,
    message: (facts) => `saved, but ${facts.app} cannot sleep when idle and stays running: ${reasonOf(facts)}`,
  },
  {
    reason: 'StatusRefused',
    status: 'False',
    when: isRefused,
    message: ({ app, answer }) =>
      `saved, but whether ${app} can sleep is not known: ${answer.is === 'refused' ? answer.why : ''}`,
  },
  {
    reason: 'Unanswered',
    status: 'Unknown',
    when: (facts) => facts.now >= deadlineOf(facts),
    message: ({ app }) =>
      `saved, but the cluster has not said within 10 seconds whether ${app} can sleep: see resource.details.scaleToZero`,
  },
  {
    reason: 'Waiting',
    status: 'Unknown',
    when: () => true,
    message: ({ app }) => `the cluster has not said yet whether ${app} can sleep`,
  },
];

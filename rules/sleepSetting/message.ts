import { durationText } from '../time.ts';
import type { VerdictRule } from '../verdict.ts';
import { canSleep, deadlineOf, isOutOfRange, isRefused } from './answer.ts';
import type { SleepSettingFacts } from './facts.ts';
import { closed, external, hidden, nothing, sentence, toViewers } from '../words.ts';

const isNew = ({ savedAt }: SleepSettingFacts) => savedAt === null;
const reasonOf = ({ answer }: SleepSettingFacts) => (answer.is === 'found' && answer.message) || 'no reason was given';

/** What the command prints about a sleep setting. */
export const sleepMessage: readonly VerdictRule<SleepSettingFacts>[] = [
  {
    reason: 'DurationRefused',
    status: 'False',
    when: (facts) => isNew(facts) && isOutOfRange(facts),
    message: () => closed('--sleep-after must be 30 seconds to 24 hours'),
  },
  {
    reason: 'SettingRefused',
    status: 'False',
    when: (facts) => isNew(facts) && facts.setting.is === 'refused',
    message: ({ setting }) => (setting.is === 'refused' ? external(setting.why) : nothing),
  },
  {
    reason: 'AlwaysOn',
    status: 'True',
    when: (facts) => isNew(facts) && facts.wanted.is === 'alwaysOn',
    message: ({ app }) => sentence('{app} stays running', { app: toViewers(app) }),
  },
  {
    reason: 'Saved',
    status: 'Unknown',
    when: isNew,
    message: ({ app }) => sentence('saved, the cluster is asked whether {app} can sleep', { app: toViewers(app) }),
  },
  {
    reason: 'Sleeps',
    status: 'True',
    when: (facts) => canSleep(facts) === true,
    message: ({ app, wanted }) =>
      sentence('{app} sleeps after {duration} without requests', {
        app: toViewers(app),
        duration: toViewers(durationText(wanted.is === 'sleepAfter' ? wanted.ms : 0)),
      }),
  },
  {
    reason: 'StaysRunning',
    status: 'False',
    when: (facts) => canSleep(facts) === false,
    message: (facts) =>
      sentence('saved, but {app} cannot sleep when idle and stays running: {reason}', {
        app: toViewers(facts.app),
        reason: hidden(reasonOf(facts)),
      }),
  },
  {
    reason: 'StatusRefused',
    status: 'False',
    when: isRefused,
    message: ({ app, answer }) =>
      sentence('saved, but whether {app} can sleep is not known: {why}', {
        app: toViewers(app),
        why: hidden(answer.is === 'refused' ? answer.why : ''),
      }),
  },
  {
    reason: 'Unanswered',
    status: 'Unknown',
    when: (facts) => facts.now >= deadlineOf(facts),
    message: ({ app }) =>
      sentence(
        'saved, but the cluster has not said within 10 seconds whether {app} can sleep: see resource.details.scaleToZero',
        { app: toViewers(app) },
      ),
  },
  {
    reason: 'Waiting',
    status: 'Unknown',
    when: () => true,
    message: ({ app }) => sentence('the cluster has not said yet whether {app} can sleep', { app: toViewers(app) }),
  },
];

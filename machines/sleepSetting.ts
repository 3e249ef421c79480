import { machineOf } from './machine.ts';

/**
 * The wait of the command line for the cluster's answer about sleep: the arrows of specs/tables/sleepSetting.md, and no
 * others.
 */
export const sleepSetting = machineOf('sleepSetting', {
  initial: 'Saved',
  states: {
    Saved: {
      meta: { ensures: [] },
      on: {
        sleepFound: { target: 'Sleeps', actions: 'exitSleeps' },
        sleepRefused: { target: 'StaysRunning', actions: 'exitStaysRunning' },
        statusRefused: { target: 'Unanswered', actions: 'exitRefused' },
        answerMissed: { target: 'Unanswered', actions: 'exitUnanswered' },
        answerAwaited: { target: 'Saved' },
      },
    },
    Sleeps: { meta: { ensures: [] } },
    StaysRunning: { meta: { ensures: [] } },
    Unanswered: { meta: { ensures: [] } },
  },
});

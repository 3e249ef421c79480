import { setup } from 'xstate';

export type SleepSettingEvent = {
  readonly type:
    | 'alwaysOnSaved'
    | 'answerAwaited'
    | 'answerMissed'
    | 'durationRefused'
    | 'settingRefused'
    | 'settingSaved'
    | 'sleepFound'
    | 'sleepRefused'
    | 'statusRefused';
};

/** Actions are named here and performed by the command line; none runs inside a step. */
const named = () => {};
const actions = {
  exitRefused: named,
  exitSleeps: named,
  exitStaysRunning: named,
  exitUnanswered: named,
};
export type SleepSettingAction = keyof typeof actions;

/** The wait of the command line for the cluster's word on sleeping: the arrows of specs/tables/sleepSetting.md, no more. */
export const sleepSetting = setup({
  types: { events: {} as SleepSettingEvent, meta: {} as { readonly ensures: readonly never[] } },
  actions,
}).createMachine({
  id: 'sleepSetting',
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

export type SleepSettingState = 'Saved' | 'Sleeps' | 'StaysRunning' | 'Unanswered';

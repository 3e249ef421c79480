import { machineOf } from './machine.ts';

/** Failed sign-ins from one client address: the arrows of specs/tables/addressLockout.md, and no others. */
export const addressLockout = machineOf('addressLockout', {
  initial: 'Open',
  states: {
    Open: {
      on: {
        operatorRestarted: { target: 'Open', actions: 'loseCount' },
        clockSetBack: { target: 'Open', actions: 'reckonFromNow' },
        signInAwaited: { target: 'Open' },
        signInCame: { target: 'Open', actions: 'passOn' },
        unlimitedFailed: { target: 'Open' },
        failedTwentieth: { target: 'Refused', actions: ['countFailure', 'refuseAddress'] },
        failedAgain: { target: 'Open', actions: 'countFailure' },
        failedFirst: { target: 'Open', actions: 'beginMinute' },
      },
    },
    Refused: {
      on: {
        operatorRestarted: { target: 'Open', actions: 'loseCount' },
        clockSetBack: { target: 'Refused', actions: 'reckonFromNow' },
        refusalEnded: { target: 'Open', actions: 'forget' },
        refusalEndAwaited: { target: 'Refused' },
        refusedAtOnce: { target: 'Refused', actions: 'refuse' },
        failedMeanwhile: { target: 'Refused' },
      },
    },
  },
});

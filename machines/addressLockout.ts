import { setup } from 'xstate';

export type AddressLockoutEvent = {
  readonly type:
    | 'clockSetBack'
    | 'failedAgain'
    | 'failedFirst'
    | 'failedMeanwhile'
    | 'failedTwentieth'
    | 'operatorRestarted'
    | 'refusalEndAwaited'
    | 'refusalEnded'
    | 'refusedAtOnce'
    | 'signInAwaited'
    | 'signInCame'
    | 'unlimitedFailed';
};

/** Actions are named here and performed by the runtime; none runs inside a step. */
const named = () => {};
const actions = {
  beginMinute: named,
  countFailure: named,
  forget: named,
  loseCount: named,
  passOn: named,
  reckonFromNow: named,
  refuse: named,
  refuseAddress: named,
};
export type AddressLockoutAction = keyof typeof actions;

/** Failed sign-ins from one client address: the arrows of specs/tables/addressLockout.md, no more. */
export const addressLockout = setup({
  types: { events: {} as AddressLockoutEvent },
  actions,
}).createMachine({
  id: 'addressLockout',
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

export type AddressLockoutState = 'Open' | 'Refused';

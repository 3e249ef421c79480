import { setup } from 'xstate';

export type NameLockoutEvent = {
  readonly type:
    | 'clockSetBack'
    | 'failedAgain'
    | 'failedFifth'
    | 'failedFirst'
    | 'failedFirstOfMany'
    | 'lockEndAwaited'
    | 'lockEnded'
    | 'signInAwaited'
    | 'signedIn'
    | 'triedWhileLocked'
    | 'unknownNameTried';
};

/** Actions are named here and performed by the runtime; none runs inside a step. */
const named = () => {};
const actions = {
  admit: named,
  beginMinute: named,
  countFailure: named,
  dropOldestUnlocked: named,
  dropSpent: named,
  lock: named,
  reckonFromNow: named,
  refuse: named,
};
export type NameLockoutAction = keyof typeof actions;

/** Failed sign-ins of one username: the arrows of specs/tables/nameLockout.md, no more. */
export const nameLockout = setup({
  types: { events: {} as NameLockoutEvent },
  actions,
}).createMachine({
  id: 'nameLockout',
  initial: 'Open',
  states: {
    Open: {
      on: {
        clockSetBack: { target: 'Open', actions: 'reckonFromNow' },
        signInAwaited: { target: 'Open' },
        unknownNameTried: { target: 'Open', actions: 'refuse' },
        signedIn: { target: 'Open', actions: 'admit' },
        failedFifth: { target: 'Locked', actions: ['dropSpent', 'countFailure', 'lock', 'refuse'] },
        failedAgain: { target: 'Open', actions: ['dropSpent', 'countFailure', 'refuse'] },
        failedFirstOfMany: { target: 'Open', actions: ['dropSpent', 'dropOldestUnlocked', 'beginMinute', 'refuse'] },
        failedFirst: { target: 'Open', actions: ['dropSpent', 'beginMinute', 'refuse'] },
      },
    },
    Locked: {
      on: {
        clockSetBack: { target: 'Locked', actions: 'reckonFromNow' },
        lockEnded: { target: 'Open', actions: 'dropSpent' },
        triedWhileLocked: { target: 'Locked', actions: 'refuse' },
        lockEndAwaited: { target: 'Locked' },
      },
    },
  },
});

export type NameLockoutState = 'Open' | 'Locked';

import { machineOf } from './machine.ts';

/** Failed sign-ins of one username: the arrows of specs/tables/nameLockout.md, and no others. */
export const nameLockout = machineOf('nameLockout', {
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

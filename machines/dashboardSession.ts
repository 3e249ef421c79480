import { machineOf } from './machine.ts';

/** A signed-in person's session: the arrows of specs/tables/dashboardSession.md, and no others. */
export const dashboardSession = machineOf('dashboardSession', {
  initial: 'Active',
  states: {
    Active: {
      on: {
        signOutAsked: { target: 'Ended', actions: ['bumpEpoch', 'takeCookie'] },
        expired: { target: 'Expired' },
        userRemoved: { target: 'Ended' },
        epochBumped: { target: 'Ended' },
        usedWithNewRole: { target: 'Active', actions: 'serveAsNow' },
        used: { target: 'Active', actions: 'serve' },
        expiryAwaited: { target: 'Active' },
      },
    },
    Expired: { on: { usedAfterEnd: { target: 'Expired', actions: 'refuse' } } },
    Ended: { on: { usedAfterEnd: { target: 'Ended', actions: 'refuse' } } },
  },
});

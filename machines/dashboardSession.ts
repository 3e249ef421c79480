import { setup } from 'xstate';

export type DashboardSessionEvent = {
  readonly type:
    | 'epochBumped'
    | 'expired'
    | 'expiryAwaited'
    | 'signOutAsked'
    | 'used'
    | 'usedAfterEnd'
    | 'usedWithNewRole'
    | 'userRemoved';
};

/** What happens where no session is: no arrow of the machine. */
export type DashboardSessionAbsence = 'signedIn' | 'signInRefused' | 'strangerRefused';

/** Actions are named here and performed by the runtime; none runs inside a step. */
const named = () => {};
const actions = {
  bumpEpoch: named,
  refuse: named,
  serve: named,
  serveAsNow: named,
  takeCookie: named,
};
export type DashboardSessionAction = keyof typeof actions;

/** A signed-in person's session: the arrows of specs/tables/dashboardSession.md, no more. */
export const dashboardSession = setup({
  types: { events: {} as DashboardSessionEvent },
  actions,
}).createMachine({
  id: 'dashboardSession',
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

export type DashboardSessionState = 'Active' | 'Expired' | 'Ended';

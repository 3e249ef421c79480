import { setup } from 'xstate';

export type TokenEvent = {
  readonly type:
    | 'creatorRemoved'
    | 'expired'
    | 'loggedOut'
    | 'projectDeleted'
    | 'revoked'
    | 'tokenTriedToRevoke'
    | 'useAwaited'
    | 'used'
    | 'usedAfterEnd'
    | 'usedAfterPause'
    | 'viewerTriedToRevoke'
    | 'wrongSecretUsed';
};

/** What happens where no token is: no arrow of the machine. */
export type TokenAbsence =
  | 'collected'
  | 'created'
  | 'expiryRefused'
  | 'lifetimeRefused'
  | 'tokenTriedToCreate'
  | 'unknownTokenUsed'
  | 'viewerTriedToCreate';

/** Actions are named here and performed by the runtime; none runs inside a step. */
const named = () => {};
const actions = {
  accept: named,
  dropHash: named,
  logRevocation: named,
  recordUse: named,
  refuse: named,
};
export type TokenAction = keyof typeof actions;

/** Whether it expired or not, it can be taken away. */
const revokes = {
  revoked: { target: 'Revoked', actions: ['dropHash', 'logRevocation'] },
  projectDeleted: { target: 'Revoked', actions: ['dropHash', 'logRevocation'] },
} as const;

/** An API token: the arrows of specs/tables/token.md, no more. */
export const token = setup({
  types: { events: {} as TokenEvent },
  actions,
}).createMachine({
  id: 'token',
  initial: 'Active',
  states: {
    Active: {
      on: {
        creatorRemoved: { target: 'Active' },
        loggedOut: { target: 'Active' },
        expired: { target: 'Expired' },
        tokenTriedToRevoke: { target: 'Active' },
        viewerTriedToRevoke: { target: 'Active' },
        ...revokes,
        wrongSecretUsed: { target: 'Active', actions: 'refuse' },
        usedAfterPause: { target: 'Active', actions: ['accept', 'recordUse'] },
        used: { target: 'Active', actions: 'accept' },
        useAwaited: { target: 'Active' },
      },
    },
    Expired: {
      on: {
        tokenTriedToRevoke: { target: 'Expired' },
        viewerTriedToRevoke: { target: 'Expired' },
        ...revokes,
        usedAfterEnd: { target: 'Expired', actions: 'refuse' },
      },
    },
    Revoked: { on: { usedAfterEnd: { target: 'Revoked', actions: 'refuse' } } },
  },
});

export type TokenState = 'Active' | 'Expired' | 'Revoked';

import { machineOf } from './machine.ts';

/** Revocation, whether the token has expired or not. */
const revokes = {
  revoked: { target: 'Revoked', actions: ['dropHash', 'logRevocation'] },
  projectDeleted: { target: 'Revoked', actions: ['dropHash', 'logRevocation'] },
  environmentDeleted: { target: 'Revoked', actions: ['dropHash', 'logRevocation'] },
} as const;

/** An API token: the arrows of specs/tables/token.md, and no others. */
export const token = machineOf('token', {
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

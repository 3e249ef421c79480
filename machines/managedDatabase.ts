import { machineOf } from './machine.ts';

/** A database at a managed provider and the login to it: the arrows of specs/tables/managedDatabase.md, and no others. */
export const managedDatabase = machineOf('managedDatabase', {
  initial: 'Starting',
  states: {
    /** Only a changed spec or Retry leads to another check. */
    Refused: {
      meta: { ensures: [] },
      on: {
        revokeFailed: { target: 'Refused' },
        refusalStood: { target: 'Refused' },
        heldBack: { target: 'Refused' },
        engineRefused: { target: 'Refused', actions: 'recordRefusal' },
        providerFailed: { target: 'Refused' },
        otherKindFound: { target: 'Refused', actions: 'recordRefusal' },
        matchFound: { target: 'Starting', actions: 'recordStart' },
        databaseMissing: { target: 'Starting', actions: ['createDatabase', 'recordStart'] },
      },
    },
    Starting: {
      meta: { ensures: [] },
      on: {
        revokeFailed: { target: 'Starting' },
        heldBack: { target: 'Starting' },
        engineRefused: { target: 'Refused', actions: 'recordRefusal' },
        providerFailed: { target: 'Starting' },
        otherKindFound: { target: 'Refused', actions: 'recordRefusal' },
        databaseMissing: { target: 'Starting', actions: ['createDatabase', 'recordStart'] },
        startAwaited: { target: 'Starting' },
        startOverdue: { target: 'Starting' },
        connectionFound: { target: 'Ready' },
        strayLoginFound: { target: 'Starting', actions: 'revokeLogin' },
        storeRetryAwaited: { target: 'Starting' },
        loginUnclaimed: { target: 'Starting', actions: 'claimLogin' },
        loginDue: { target: 'LoginIssued', actions: 'issueLogin' },
      },
    },
    /** The password is known only to the process that issued the login. */
    LoginIssued: {
      meta: { ensures: [] },
      on: {
        revokeFailed: { target: 'LoginIssued' },
        loginStored: { target: 'Ready', actions: 'storeConnection' },
        storeFailed: { target: 'Starting', actions: ['revokeLogin', 'recordStoreFailure'] },
        passwordLost: { target: 'Starting', actions: 'revokeLogin' },
      },
    },
    Ready: {
      meta: { ensures: [] },
      on: {
        revokeFailed: { target: 'Ready' },
        heldBack: { target: 'Ready' },
        connectionKept: { target: 'Ready' },
        engineRefused: { target: 'Refused', actions: 'recordRefusal' },
        providerFailed: { target: 'Ready' },
        otherKindFound: { target: 'Refused', actions: 'recordRefusal' },
        databaseMissing: { target: 'Starting', actions: ['createDatabase', 'recordStart'] },
        strayLoginFound: { target: 'Ready', actions: 'revokeLogin' },
        loginUnclaimed: { target: 'Ready', actions: 'claimLogin' },
        connectionDeleted: { target: 'LoginIssued', actions: 'issueLogin' },
      },
    },
  },
});

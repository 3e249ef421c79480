import { setup } from 'xstate';

export type ManagedDatabaseEvent = {
  readonly type:
    | 'connectionDeleted'
    | 'connectionFound'
    | 'connectionKept'
    | 'databaseMissing'
    | 'deletionSeen'
    | 'engineRefused'
    | 'letGo'
    | 'loginDue'
    | 'loginStored'
    | 'loginUnclaimed'
    | 'matchFound'
    | 'otherKindFound'
    | 'passwordLost'
    | 'providerFailed'
    | 'refusalStood'
    | 'revokeFailed'
    | 'startAwaited'
    | 'startOverdue'
    | 'storeFailed'
    | 'storeRetryAwaited'
    | 'strayLoginFound';
};

/** Actions are named here and performed by the runtime; none runs inside a step. */
const named = () => {};
const actions = {
  claimLogin: named,
  createDatabase: named,
  issueLogin: named,
  recordRefusal: named,
  recordStart: named,
  recordStoreFailure: named,
  revokeLogin: named,
  storeConnection: named,
};
export type ManagedDatabaseAction = keyof typeof actions;

/** A database at a managed provider and the login to it: the arrows of specs/tables/managedDatabase.md, no more. */
export const managedDatabase = setup({
  types: { events: {} as ManagedDatabaseEvent, meta: {} as { readonly ensures: readonly never[] } },
  actions,
}).createMachine({
  id: 'managedDatabase',
  initial: 'Starting',
  states: {
    /** Only a changed spec or Retry has it looked at again. */
    Refused: {
      meta: { ensures: [] },
      on: {
        revokeFailed: { target: 'Refused' },
        refusalStood: { target: 'Refused' },
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
    /** The password is known to the process that issued the login, and to nobody else. */
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

export type ManagedDatabaseState = 'Refused' | 'Starting' | 'LoginIssued' | 'Ready';

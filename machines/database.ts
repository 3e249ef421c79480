import { machineOf } from './machine.ts';

/** The deletion of a database, from any state. */
const deletes = {
  finalBackupDue: { target: 'FinalBackup', actions: 'startFinalBackup' },
  deletionSeen: { target: 'Deleting', actions: 'deleteWorkload' },
} as const;

/** The events that give a database up, with or without counting. */
const fails = {
  permanentErrorFound: { target: 'ProvisionFailed', actions: ['recordFailure', 'failAttempt'] },
  failuresExhausted: { target: 'ProvisionFailed', actions: ['recordFailure', 'failAttempt'] },
  failureTimeExhausted: { target: 'ProvisionFailed', actions: ['recordFailure', 'failAttempt'] },
  givenUpFound: { target: 'ProvisionFailed', actions: ['recordFailure', 'failAttempt'] },
} as const;

/** A counted blocker returns a database to provisioning or keeps it there. */
const counts = {
  storageUnavailable: { target: 'Provisioning', actions: 'recordFailure' },
  failureCounted: { target: 'Provisioning', actions: 'recordFailure' },
} as const;

const deployed = { deployTakenUp: { target: 'Provisioning', actions: 'startAttempt' } } as const;

/** The life of a CoreDatabase: the arrows of specs/tables/database.md, and no others. */
export const database = machineOf('database', {
  initial: 'Provisioning',
  states: {
    Draft: {
      meta: { ensures: ['noWorkload'] },
      on: {
        ...deletes,
        gateOpened: { target: 'Provisioning', actions: 'startAttempt' },
      },
    },
    Provisioning: {
      meta: { ensures: [] },
      on: {
        ...deletes,
        ...fails,
        ...counts,
        ...deployed,
        failureRepeated: { target: 'Provisioning' },
        waitFound: { target: 'Provisioning' },
        gateClosed: { target: 'Draft' },
        restoreFinished: { target: 'Provisioning', actions: 'recordRestored' },
        workloadDue: { target: 'Provisioning', actions: 'applyWorkload' },
        restoreDue: { target: 'Provisioning', actions: 'createRestoreJob' },
        externalAccepted: { target: 'Ready', actions: ['writeConnection', 'recordHost', 'succeedAttempt'] },
        connectionDue: { target: 'Provisioning', actions: 'writeConnection' },
        provisioned: { target: 'Ready', actions: ['recordHost', 'succeedAttempt'] },
      },
    },
    Ready: {
      meta: { ensures: [] },
      on: {
        ...deletes,
        ...fails,
        ...counts,
        ...deployed,
        failureRepeated: { target: 'Provisioning', actions: 'startAttempt' },
        waitFound: { target: 'Provisioning', actions: 'startAttempt' },
        gateClosed: { target: 'Draft' },
        workloadDue: { target: 'Ready', actions: 'applyWorkload' },
        connectionDue: { target: 'Ready', actions: 'writeConnection' },
        applyAwaited: { target: 'Ready' },
        restedReady: { target: 'Ready' },
      },
    },
    /** Given up: only a changed spec, a redeploy or Retry restarts it. */
    ProvisionFailed: {
      meta: { ensures: [] },
      on: {
        ...deletes,
        gateClosed: { target: 'Draft' },
        retryAsked: { target: 'Provisioning', actions: ['discardRestore', 'startAttempt'] },
        redeployAsked: { target: 'Provisioning', actions: ['discardRestore', 'startAttempt'] },
        specChanged: { target: 'Provisioning', actions: ['discardRestore', 'startAttempt'] },
        restoreFinished: { target: 'ProvisionFailed', actions: 'recordRestored' },
        failureStood: { target: 'ProvisionFailed' },
      },
    },
    /** Takes one last backup; the data is kept until then. */
    FinalBackup: {
      meta: { ensures: [] },
      on: {
        finalBackupAwaited: { target: 'FinalBackup' },
        finalBackupRetried: { target: 'FinalBackup', actions: 'startFinalBackup' },
      },
    },
    Deleting: {
      meta: { ensures: ['noWorkload'] },
      on: { workloadRemains: { target: 'Deleting' } },
    },
  },
});

import { machineOf } from './machine.ts';

const deletes = { deletionFound: { target: 'Deleting' } } as const;

/** The events that give a logical database up, with or without counting. */
const fails = {
  permanentErrorFound: { target: 'ProvisionFailed', actions: ['recordFailure', 'failAttempt'] },
  failuresExhausted: { target: 'ProvisionFailed', actions: ['recordFailure', 'failAttempt'] },
  failureTimeExhausted: { target: 'ProvisionFailed', actions: ['recordFailure', 'failAttempt'] },
  givenUpFound: { target: 'ProvisionFailed', actions: ['recordFailure', 'failAttempt'] },
} as const;

/** Leaving Ready starts an attempt. */
const leaves = { target: 'Provisioning', actions: 'startAttempt' } as const;

/** The life of a CoreLogicalDatabase: the arrows of specs/tables/logicalDatabase.md, and no others. */
export const logicalDatabase = machineOf('logicalDatabase', {
  initial: 'Provisioning',
  states: {
    Provisioning: {
      meta: { ensures: ['noOtherJob'] },
      on: {
        ...deletes,
        ...fails,
        attemptDue: { target: 'Provisioning', actions: 'startAttempt' },
        failureCounted: { target: 'Provisioning', actions: 'recordFailure' },
        failureRepeated: { target: 'Provisioning' },
        serverMissing: { target: 'Provisioning' },
        serverNotReady: { target: 'Provisioning' },
        finalizerMissing: { target: 'Provisioning' },
        adminLoginMissing: { target: 'Provisioning' },
        waitFound: { target: 'Provisioning' },
        otherJobFound: { target: 'Provisioning' },
        jobCreated: { target: 'Provisioning', actions: 'createJob' },
        jobProgressed: { target: 'Provisioning' },
        connectionWritten: { target: 'Ready', actions: ['writeConnection', 'recordDatabase', 'succeedAttempt'] },
      },
    },
    Ready: {
      meta: { ensures: [] },
      on: {
        ...deletes,
        ...fails,
        failureCounted: { target: 'Provisioning', actions: 'recordFailure' },
        failureRepeated: leaves,
        serverMissing: leaves,
        serverNotReady: leaves,
        finalizerMissing: { target: 'Ready' },
        adminLoginMissing: leaves,
        waitFound: leaves,
        databaseLost: leaves,
        connectionDue: { target: 'Ready', actions: 'writeConnection' },
        connectionKept: { target: 'Ready' },
      },
    },
    /** Only a change of its spec or a command leads out. */
    ProvisionFailed: {
      meta: { ensures: [] },
      on: {
        ...deletes,
        retryAsked: leaves,
        specChanged: leaves,
        failureStood: { target: 'ProvisionFailed' },
      },
    },
    Deleting: {
      meta: { ensures: ['noConnection', 'noOtherJob'] },
      on: {
        otherJobFound: { target: 'Deleting' },
        dropStarted: { target: 'Deleting', actions: 'createDropJob' },
        dropProgressed: { target: 'Deleting' },
      },
    },
  },
});

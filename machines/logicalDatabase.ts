import { machineOf } from './machine.ts';

const deletes = { deletionFound: { target: 'Deleting' } } as const;

/** The obstacles of a logical database, whether it was ready or not. */
const stands = {
  serverMissing: { target: 'Provisioning', actions: 'pauseClock' },
  serverNotReady: { target: 'Provisioning', actions: 'pauseClock' },
  failureCounted: { target: 'Provisioning', actions: 'countFailure' },
  specRefused: { target: 'ProvisionFailed', actions: 'fail' },
} as const;

/** The life of a CoreLogicalDatabase: the arrows of specs/tables/logicalDatabase.md, and no others. */
export const logicalDatabase = machineOf('logicalDatabase', {
  initial: 'Provisioning',
  states: {
    Provisioning: {
      meta: { ensures: ['noOtherJob'] },
      on: {
        ...deletes,
        ...stands,
        attemptDue: { target: 'Provisioning', actions: 'startAttempt' },
        gaveUp: { target: 'ProvisionFailed', actions: ['countFailure', 'fail'] },
        finalizerMissing: { target: 'Provisioning', actions: 'addFinalizer' },
        adminLoginMissing: { target: 'Provisioning', actions: 'pauseClock' },
        otherJobFound: { target: 'Provisioning' },
        jobCreated: { target: 'Provisioning', actions: ['createJob', 'pauseClock'] },
        jobProgressed: { target: 'Provisioning', actions: 'pauseClock' },
        jobFailed: { target: 'ProvisionFailed', actions: 'fail' },
        connectionWritten: { target: 'Ready', actions: ['writeConnection', 'clearCount'] },
        projectTagsChanged: { target: 'Provisioning' },
      },
    },
    Ready: {
      meta: { ensures: ['connectionKept'] },
      on: {
        ...deletes,
        ...stands,
        finalizerMissing: { target: 'Ready', actions: 'addFinalizer' },
        connectionKept: { target: 'Ready' },
      },
    },
    /** Only a change of its spec or a command leads out. */
    ProvisionFailed: {
      meta: { ensures: [] },
      on: {
        ...deletes,
        retryAsked: { target: 'Provisioning', actions: ['clearCount', 'startAttempt'] },
        specChanged: { target: 'Provisioning', actions: ['clearCount', 'startAttempt'] },
        projectTagsChanged: { target: 'ProvisionFailed' },
      },
    },
    Deleting: {
      meta: { ensures: ['noConnection', 'noCreateJob'] },
      on: {
        createJobFound: { target: 'Deleting' },
        dropStarted: { target: 'Deleting', actions: 'createDropJob' },
        dropProgressed: { target: 'Deleting' },
      },
    },
  },
});

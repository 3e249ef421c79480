import { machineOf } from './machine.ts';

/** The events that restart a build from any state. */
const startsOver = {
  pushed: { target: 'Pending', actions: 'startOver' },
  rebuildAsked: { target: 'Pending', actions: 'startOver' },
  resetFound: { target: 'Pending', actions: 'voidRun' },
} as const;

const cancels = {
  cancelFound: { target: 'Cancelled' },
  cancelAsked: { target: 'Cancelled', actions: 'requestCancel' },
} as const;

/** The life of a CoreBuild: the arrows of specs/tables/build.md, and no others. */
export const build = machineOf('build', {
  initial: 'Pending',
  states: {
    Pending: {
      meta: { ensures: ['noOtherJob'] },
      on: {
        ...startsOver,
        ...cancels,
        cancelSpent: { target: 'Pending', actions: 'clearCancel' },
        leftoverJobFound: { target: 'Pending' },
        otherJobFound: { target: 'Pending' },
        ownJobFound: { target: 'Running', actions: 'recordStart' },
        registryMissing: { target: 'FailedBeforeJob', actions: 'fail' },
        contextEscaped: { target: 'FailedBeforeJob', actions: 'fail' },
        connectionUnset: { target: 'FailedBeforeJob', actions: 'fail' },
        connectionNotReady: { target: 'WaitingForCI', actions: 'forgetFailure' },
        gitHostSilent: { target: 'WaitingForCI' },
        gitHostRefused: { target: 'FailedBeforeJob', actions: 'fail' },
        commitResolved: { target: 'Pending', actions: 'recordCommit' },
        checksAwaited: { target: 'WaitingForCI', actions: 'awaitChecks' },
        startCleared: { target: 'Pending', actions: ['claimRun', 'recordChecks'] },
        jobCreated: { target: 'Running', actions: ['createJob', 'recordStart'] },
      },
    },
    WaitingForCI: {
      meta: { ensures: ['noOtherJob'] },
      on: {
        ...startsOver,
        ...cancels,
        ownJobFound: { target: 'Running', actions: 'recordStart' },
        registryMissing: { target: 'FailedBeforeJob', actions: 'fail' },
        contextEscaped: { target: 'FailedBeforeJob', actions: 'fail' },
        connectionUnset: { target: 'FailedBeforeJob', actions: 'fail' },
        connectionNotReady: { target: 'WaitingForCI', actions: 'forgetFailure' },
        gitHostSilent: { target: 'WaitingForCI' },
        gitHostRefused: { target: 'FailedBeforeJob', actions: 'fail' },
        commitResolved: { target: 'WaitingForCI', actions: 'recordCommit' },
        checksPending: { target: 'WaitingForCI', actions: 'recordChecks' },
        checkFailed: { target: 'FailedBeforeJob', actions: ['recordChecks', 'fail'] },
        startCleared: { target: 'WaitingForCI', actions: ['claimRun', 'recordChecks'] },
        jobCreated: { target: 'Running', actions: ['createJob', 'recordStart'] },
        checksPassed: { target: 'Running', actions: ['createJob', 'recordChecks', 'recordStart'] },
      },
    },
    Running: {
      meta: { ensures: ['noOtherJob'] },
      on: {
        ...startsOver,
        ...cancels,
        jobProgressed: { target: 'Running', actions: 'countFailedPods' },
        jobVanished: { target: 'Failed', actions: 'fail' },
        jobFailed: { target: 'Failed', actions: ['countFailedPods', 'fail'] },
        digestFound: { target: 'Succeeded', actions: ['countFailedPods', 'succeed'] },
        digestMissing: { target: 'Failed', actions: ['countFailedPods', 'fail'] },
      },
    },
    Succeeded: {
      meta: { ensures: ['noOtherJob', 'logArchived', 'newestTen'] },
      on: {
        ...startsOver,
        logArchived: { target: 'Succeeded', actions: 'recordLog' },
        restedSucceeded: { target: 'Succeeded' },
      },
    },
    /** Its Job ran: only a push, a rebuild or a reset restarts it. */
    Failed: {
      meta: { ensures: ['noOtherJob', 'logTried'] },
      on: {
        ...startsOver,
        logArchived: { target: 'Failed', actions: 'recordLog' },
        restedFailed: { target: 'Failed' },
      },
    },
    /** Failed without a Job: what it waits for may still arrive. */
    FailedBeforeJob: {
      meta: { ensures: ['noOtherJob'] },
      on: {
        ...startsOver,
        ownJobFound: { target: 'Running', actions: 'recordStart' },
        settingStayedWrong: { target: 'FailedBeforeJob', actions: 'fail' },
        connectionNotReady: { target: 'WaitingForCI', actions: 'forgetFailure' },
        gitHostSilent: { target: 'FailedBeforeJob' },
        gitHostRefused: { target: 'FailedBeforeJob', actions: 'fail' },
        commitResolved: { target: 'FailedBeforeJob', actions: 'recordCommit' },
        checksPending: { target: 'WaitingForCI', actions: ['recordChecks', 'forgetFailure'] },
        checkStayedFailed: { target: 'FailedBeforeJob', actions: ['recordChecks', 'fail'] },
        startCleared: { target: 'FailedBeforeJob', actions: ['claimRun', 'recordChecks'] },
        causeCleared: { target: 'Running', actions: ['createJob', 'recordChecks', 'recordStart'] },
      },
    },
    Cancelled: {
      meta: { ensures: ['noJob'] },
      on: {
        ...startsOver,
        cancelledJobFound: { target: 'Cancelled' },
        restedCancelled: { target: 'Cancelled' },
      },
    },
    /** A phase outside this table, written by another client; displayed unchanged. */
    Unrecognised: { meta: { ensures: [] }, on: startsOver },
  },
});

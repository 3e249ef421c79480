import { machineOf } from './machine.ts';

/** The deletion of a service, from any state. */
const deletes = { deletionSeen: { target: 'Deleting', actions: 'deleteWorkload' } } as const;

/** The events that give a service up. */
const fails = {
  permanentErrorFound: { target: 'ProvisionFailed', actions: ['recordFailure', 'failAttempt'] },
  failuresExhausted: { target: 'ProvisionFailed', actions: ['recordFailure', 'failAttempt'] },
  failureTimeExhausted: { target: 'ProvisionFailed', actions: ['recordFailure', 'failAttempt'] },
  givenUpFound: { target: 'ProvisionFailed', actions: ['recordFailure', 'failAttempt'] },
} as const;

/** The blockers that return a service to provisioning or keep it there. */
const hinders = {
  failureCounted: { target: 'Provisioning', actions: 'recordFailure' },
  failureRepeated: { target: 'Provisioning' },
  waitFound: { target: 'Provisioning' },
  actAwaited: { target: 'Provisioning' },
} as const;

const begins = { target: 'Provisioning', actions: 'startAttempt' } as const;

/** The life of a CoreApp that runs: the arrows of specs/tables/service.md, and no others. */
export const service = machineOf('service', {
  initial: 'Provisioning',
  states: {
    Draft: {
      meta: { ensures: ['noWorkload'] },
      on: { ...deletes, gateOpened: begins },
    },
    Provisioning: {
      meta: { ensures: [] },
      on: {
        ...deletes,
        ...fails,
        ...hinders,
        gateClosed: { target: 'Draft' },
        deployTakenUp: begins,
        imageTakenUp: { target: 'Provisioning', actions: 'attachBuild' },
        buildAwaited: { target: 'Provisioning' },
        workloadDue: { target: 'Provisioning', actions: 'applyWorkload' },
        provisioned: { target: 'Ready', actions: 'succeedAttempt' },
        fellAsleep: { target: 'Asleep', actions: 'succeedAttempt' },
      },
    },
    Ready: {
      meta: { ensures: [] },
      on: {
        ...deletes,
        ...fails,
        ...hinders,
        gateClosed: { target: 'Draft' },
        deployTakenUp: begins,
        workloadDue: { target: 'Ready', actions: 'applyWorkload' },
        restedReady: { target: 'Ready' },
        fellAsleep: { target: 'Asleep' },
      },
    },
    /** Stopped by the serverless add-on until the next request. */
    Asleep: {
      meta: { ensures: [] },
      on: {
        ...deletes,
        ...fails,
        ...hinders,
        gateClosed: { target: 'Draft' },
        deployTakenUp: begins,
        workloadDue: { target: 'Asleep', actions: 'applyWorkload' },
        woken: { target: 'Provisioning' },
        restedAsleep: { target: 'Asleep' },
      },
    },
    /** Given up: only a changed spec, a redeploy, another image or Retry restarts it. */
    ProvisionFailed: {
      meta: { ensures: [] },
      on: {
        ...deletes,
        gateClosed: { target: 'Draft' },
        retryAsked: begins,
        redeployAsked: begins,
        specChanged: begins,
        failureStood: { target: 'ProvisionFailed' },
      },
    },
    Deleting: {
      meta: { ensures: ['noWorkload'] },
      on: { workloadRemains: { target: 'Deleting' } },
    },
  },
});

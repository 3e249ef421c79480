import { machineOf } from './machine.ts';

const deletes = { deletionSeen: { target: 'Deleting' } } as const;

/** The events that give an object store up. */
const fails = {
  permanentErrorFound: { target: 'ProvisionFailed', actions: ['recordFailure', 'failAttempt'] },
  failuresExhausted: { target: 'ProvisionFailed', actions: ['recordFailure', 'failAttempt'] },
  failureTimeExhausted: { target: 'ProvisionFailed', actions: ['recordFailure', 'failAttempt'] },
  givenUpFound: { target: 'ProvisionFailed', actions: ['recordFailure', 'failAttempt'] },
} as const;

const begins = { target: 'Provisioning', actions: 'startAttempt' } as const;
const counts = { failureCounted: { target: 'Provisioning', actions: 'recordFailure' } } as const;

/** The life of a CoreObjectStore: the arrows of specs/tables/objectStore.md, and no others. */
export const objectStore = machineOf('objectStore', {
  initial: 'Provisioning',
  states: {
    Draft: {
      meta: { ensures: ['noServer'] },
      on: { ...deletes, gateOpened: begins },
    },
    Provisioning: {
      meta: { ensures: ['broughtAbout'] },
      on: {
        ...deletes,
        ...fails,
        ...counts,
        failureRepeated: { target: 'Provisioning' },
        waitFound: { target: 'Provisioning' },
        gateClosed: { target: 'Draft' },
        deployTakenUp: begins,
        provisioned: { target: 'Ready', actions: 'succeedAttempt' },
      },
    },
    Ready: {
      meta: { ensures: ['broughtAbout'] },
      on: {
        ...deletes,
        ...fails,
        ...counts,
        failureRepeated: begins,
        waitFound: begins,
        gateClosed: { target: 'Draft' },
        deployTakenUp: begins,
        restedReady: { target: 'Ready' },
      },
    },
    /** Given up: only a changed spec, a redeploy or Retry restarts it. */
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
      meta: { ensures: ['nothingLeft'] },
      on: {
        useFound: { target: 'Deleting' },
        contentsRemain: { target: 'Deleting' },
      },
    },
  },
});

import { machineOf } from './machine.ts';

/** The row of counted failures of a provisioned resource: the arrows of specs/tables/provisionRetry.md, no more. */
export const provisionRetry = machineOf('provisionRetry', {
  initial: 'Clean',
  states: {
    Clean: {
      meta: { ensures: [] },
      on: {
        waited: { target: 'Clean' },
        permanentlyFailed: { target: 'ProvisionFailed', actions: 'giveUp' },
        rowBegan: { target: 'Counting', actions: 'beginRow' },
      },
    },
    Counting: {
      meta: { ensures: [] },
      on: {
        passSucceeded: { target: 'Clean', actions: 'clearRow' },
        waited: { target: 'Counting', actions: 'stopClock' },
        permanentlyFailed: { target: 'ProvisionFailed', actions: 'giveUp' },
        rowBegan: { target: 'Counting', actions: 'beginRow' },
        limitReached: { target: 'ProvisionFailed', actions: 'giveUp' },
        timeRanOut: { target: 'ProvisionFailed', actions: 'giveUp' },
        failureCounted: { target: 'Counting', actions: 'countFailure' },
      },
    },
    /** Nothing is tried here, so nothing that happens elsewhere leads out. */
    ProvisionFailed: {
      meta: { ensures: [] },
      on: {
        generationChanged: { target: 'Clean', actions: 'clearRow' },
        redeployAsked: { target: 'Clean', actions: 'clearRow' },
        retryAsked: { target: 'Clean', actions: 'clearRow' },
        stayedFailed: { target: 'ProvisionFailed' },
      },
    },
  },
});

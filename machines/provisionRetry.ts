import { machineOf } from './machine.ts';

/** A new deploy starts without failures. */
const again = { target: 'Clean', actions: ['clearRow', 'takeUpDeploy'] } as const;

/** The row of counted failures of a provisioned resource: the arrows of specs/tables/provisionRetry.md, and no others. */
export const provisionRetry = machineOf('provisionRetry', {
  initial: 'Clean',
  states: {
    Clean: {
      meta: { ensures: [] },
      on: {
        deletionFound: { target: 'Clean' },
        redeployFound: { target: 'Clean', actions: 'takeUpDeploy' },
        waited: { target: 'Clean' },
        permanentlyFailed: { target: 'ProvisionFailed', actions: 'giveUpAtOnce' },
        failureRepeated: { target: 'Clean' },
        rowBegan: { target: 'Counting', actions: 'beginRow' },
      },
    },
    Counting: {
      meta: { ensures: [] },
      on: {
        deletionFound: { target: 'Counting' },
        redeployFound: again,
        passSucceeded: { target: 'Clean', actions: 'clearRow' },
        waited: { target: 'Counting', actions: 'stopClock' },
        permanentlyFailed: { target: 'ProvisionFailed', actions: 'giveUpAtOnce' },
        failureRepeated: { target: 'Counting' },
        rowBegan: { target: 'Counting', actions: 'beginRow' },
        limitReached: { target: 'ProvisionFailed', actions: 'giveUp' },
        timeRanOut: { target: 'ProvisionFailed', actions: 'giveUp' },
        failureCounted: { target: 'Counting', actions: 'countFailure' },
      },
    },
    /** No pass tries anything here, so no external event leads out. */
    ProvisionFailed: {
      meta: { ensures: [] },
      on: {
        deletionFound: { target: 'ProvisionFailed' },
        generationChanged: { target: 'Clean', actions: 'clearRow' },
        redeployFound: again,
        retryAsked: { target: 'Clean', actions: 'clearRow' },
        stayedFailed: { target: 'ProvisionFailed' },
      },
    },
  },
});

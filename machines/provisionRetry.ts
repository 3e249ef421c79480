import { setup } from 'xstate';

export type ProvisionRetryEvent = {
  readonly type:
    | 'deletionFound'
    | 'failureCounted'
    | 'failureRepeated'
    | 'generationChanged'
    | 'limitReached'
    | 'passSucceeded'
    | 'permanentlyFailed'
    | 'redeployFound'
    | 'retryAsked'
    | 'rowBegan'
    | 'stayedFailed'
    | 'timeRanOut'
    | 'waited';
};

/** Actions are named here and performed by the runtime; none runs inside a step. */
const named = () => {};
const actions = {
  beginRow: named,
  clearRow: named,
  countFailure: named,
  giveUp: named,
  giveUpAtOnce: named,
  stopClock: named,
  takeUpDeploy: named,
};
export type ProvisionRetryAction = keyof typeof actions;

/** What is deployed anew begins with no failure. */
const again = { target: 'Clean', actions: ['clearRow', 'takeUpDeploy'] } as const;

/** The row of counted failures of a provisioned resource: the arrows of specs/tables/provisionRetry.md, no more. */
export const provisionRetry = setup({
  types: { events: {} as ProvisionRetryEvent, meta: {} as { readonly ensures: readonly never[] } },
  actions,
}).createMachine({
  id: 'provisionRetry',
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
    /** Nothing is tried here, so nothing that happens elsewhere leads out. */
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

export type ProvisionRetryState = 'Clean' | 'Counting' | 'ProvisionFailed';

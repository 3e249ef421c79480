import { machineOf } from './machine.ts';

/** Errors and giving up, the same in every state. */
const refused = {
  clusterMissing: { target: 'ReconcileError' },
  clusterNotReady: { target: 'ReconcileError' },
  clusterChanged: { target: 'ReconcileError' },
  environmentDoubled: { target: 'ReconcileError' },
  projectInvalid: { target: 'ReconcileError' },
  environmentInvalid: { target: 'ReconcileError' },
  namespaceInvalid: { target: 'ReconcileError' },
  namespaceTaken: { target: 'ReconcileError' },
  provisioningFailed: { target: 'ReconcileError' },
  gaveUp: { target: 'ProvisionFailed' },
} as const;

const whole = { provisioned: { target: 'ProjectReady', actions: 'recordEnvironments' } } as const;

/** A project that was never ready, or is no longer ready. */
const untilReady = {
  ...refused,
  ...whole,
  piecesMissing: { target: 'Reconciling', actions: 'provision' },
  variableMissing: { target: 'Reconciling' },
} as const;

/** The Ready condition of a CoreProject: the arrows of specs/tables/projectReady.md, and no others. */
export const projectReady = machineOf('projectReady', {
  initial: 'Reconciling',
  states: {
    Reconciling: {
      meta: { ensures: [] },
      on: { ...untilReady, deletionFound: { target: 'Reconciling' } },
    },
    ReconcileError: {
      meta: { ensures: [] },
      on: { ...untilReady, deletionFound: { target: 'ReconcileError' } },
    },
    /** Restoring an owned object, or an unreadable variable, does not affect workloads. */
    ProjectReady: {
      meta: { ensures: [] },
      on: {
        ...refused,
        ...whole,
        deletionFound: { target: 'ProjectReady' },
        piecesMissing: { target: 'ProjectReady', actions: 'provision' },
        piecesAwaited: { target: 'ProjectReady' },
        variableMissing: { target: 'ProjectReady' },
      },
    },
    ProvisionFailed: {
      meta: { ensures: [] },
      on: {
        deletionFound: { target: 'ProvisionFailed' },
        specChanged: { target: 'Reconciling' },
        stayedFailed: { target: 'ProvisionFailed' },
      },
    },
  },
});

import { setup } from 'xstate';

export type ActiveDeploymentEvent = {
  readonly type:
    | 'availableRecorded'
    | 'collected'
    | 'fellAsleep'
    | 'replicasMissed'
    | 'replicasReached'
    | 'rolloutRecorded'
    | 'stayedAvailable'
    | 'stillRollingOut';
};

/** Actions are named here and performed by the runtime; none runs inside a step. */
const named = () => {};
const actions = { updateRecord: named, updateStatus: named };
export type ActiveDeploymentAction = keyof typeof actions;

const updates = ['updateRecord', 'updateStatus'] as const;

/** The record of what runs of a service: the arrows of specs/tables/activeDeployment.md, no more. */
export const activeDeployment = setup({
  types: { events: {} as ActiveDeploymentEvent, meta: {} as { readonly ensures: readonly never[] } },
  actions,
}).createMachine({
  id: 'activeDeployment',
  initial: 'RollingOut',
  states: {
    RollingOut: {
      meta: { ensures: [] },
      on: {
        fellAsleep: { target: 'Available', actions: updates },
        replicasReached: { target: 'Available', actions: updates },
        stillRollingOut: { target: 'RollingOut', actions: updates },
      },
    },
    Available: {
      meta: { ensures: [] },
      on: {
        fellAsleep: { target: 'Available', actions: updates },
        replicasMissed: { target: 'RollingOut', actions: updates },
        stayedAvailable: { target: 'Available', actions: updates },
      },
    },
  },
});

export type ActiveDeploymentState = 'RollingOut' | 'Available';

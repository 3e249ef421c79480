import { machineOf } from './machine.ts';

const updates = ['updateRecord', 'updateStatus'] as const;

/** The record of what runs for a service: the arrows of specs/tables/activeDeployment.md, and no others. */
export const activeDeployment = machineOf('activeDeployment', {
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

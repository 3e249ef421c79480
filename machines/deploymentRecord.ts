import { machineOf } from './machine.ts';

/** The record of one deploy, which nothing changes any more: the arrow of specs/tables/deploymentRecord.md. */
export const deploymentRecord = machineOf('deploymentRecord', {
  initial: 'Recorded',
  states: {
    Recorded: {
      meta: { ensures: [] },
      on: { newerCounted: { target: 'Recorded' } },
    },
  },
});

import { machineOf } from './machine.ts';

/** The immutable record of one deploy: the arrow of specs/tables/deploymentRecord.md. */
export const deploymentRecord = machineOf('deploymentRecord', {
  initial: 'Recorded',
  states: {
    Recorded: {
      meta: { ensures: ['newestTwelve', 'ownService'] },
      on: { newerCounted: { target: 'Recorded' } },
    },
  },
});

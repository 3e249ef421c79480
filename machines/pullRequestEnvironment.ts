import { machineOf } from './machine.ts';

/** The life of a pull request environment: the arrows of specs/tables/pullRequestEnvironment.md, and no others. */
export const pullRequestEnvironment = machineOf('pullRequestEnvironment', {
  initial: 'Open',
  states: {
    Open: {
      meta: { ensures: [] },
      on: {
        originRefused: { target: 'Open' },
        pushed: { target: 'Open', actions: 'rebuildCopies' },
        alreadyOpen: { target: 'Open' },
      },
    },
  },
});

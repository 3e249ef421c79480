import { machineOf } from './machine.ts';

const closing = { target: 'Closing', actions: 'recordClosing' } as const;

/** The life of a pull request environment: the arrows of specs/tables/pullRequestEnvironment.md, and no others. */
export const pullRequestEnvironment = machineOf('pullRequestEnvironment', {
  initial: 'Opening',
  states: {
    Opening: {
      meta: { ensures: ['environmentCopied'] },
      on: {
        originRefused: { target: 'Opening' },
        closed: closing,
        pushed: { target: 'Opening', actions: 'rebuildCopies' },
        alreadyOpen: { target: 'Opening' },
        copiesAwaited: { target: 'Opening' },
        copied: { target: 'Open', actions: 'recordOpen' },
      },
    },
    Open: {
      meta: { ensures: [] },
      on: {
        originRefused: { target: 'Open' },
        closed: closing,
        pushed: { target: 'Open', actions: 'rebuildCopies' },
        alreadyOpen: { target: 'Open' },
      },
    },
    Closing: {
      meta: { ensures: ['environmentRemoved'] },
      on: {
        originRefused: { target: 'Closing' },
        removalAwaited: { target: 'Closing' },
        alreadyClosing: { target: 'Closing' },
      },
    },
  },
});

import { machineOf } from './machine.ts';

const waitsOn = { target: 'Waiting', actions: 'printProgress' } as const;

/** The wait of the command line for one deploy: the arrows of specs/tables/deployWait.md, and no others. */
export const deployWait = machineOf('deployWait', {
  initial: 'Waiting',
  states: {
    Waiting: {
      meta: { ensures: [] },
      on: {
        serviceNotFound: { target: 'Stopped', actions: ['exitNotFound', 'nextService'] },
        accessRefused: { target: 'Stopped', actions: ['exitNotAllowed', 'nextService'] },
        statusRefused: { target: 'Stopped', actions: ['exitOtherError', 'nextService'] },
        readyFound: { target: 'Done', actions: ['printProgress', 'nextService'] },
        stateFailed: { target: 'Failed', actions: ['exitFailed', 'nextService'] },
        buildFailed: { target: 'Failed', actions: ['exitFailed', 'nextService'] },
        timeoutPassed: { target: 'TimedOut', actions: ['exitTimedOut', 'nextService'] },
        buildCancelled: waitsOn,
        buildUnfinished: waitsOn,
        stillPending: waitsOn,
        statusSilent: waitsOn,
        unsettled: waitsOn,
      },
    },
    Done: { meta: { ensures: [] } },
    Failed: { meta: { ensures: [] } },
    TimedOut: { meta: { ensures: [] } },
    Stopped: { meta: { ensures: [] } },
  },
});

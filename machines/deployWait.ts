import { setup } from 'xstate';

export type DeployWaitEvent = {
  readonly type:
    | 'accessRefused'
    | 'buildCancelled'
    | 'buildFailed'
    | 'buildUnfinished'
    | 'deployAccepted'
    | 'deployRefused'
    | 'leftOut'
    | 'readyFound'
    | 'serviceNotFound'
    | 'stateFailed'
    | 'statusRefused'
    | 'statusSilent'
    | 'stillPending'
    | 'timeoutPassed'
    | 'unsettled'
    | 'waitUnasked';
};

/** Actions are named here and performed by the command line; none runs inside a step. */
const named = () => {};
const actions = {
  exitFailed: named,
  exitNotAllowed: named,
  exitNotFound: named,
  exitOtherError: named,
  exitTimedOut: named,
  nextService: named,
  printProgress: named,
};
export type DeployWaitAction = keyof typeof actions;

const waitsOn = { target: 'Waiting', actions: 'printProgress' } as const;

/** The wait of the command line for one deploy: the arrows of specs/tables/deployWait.md, no more. */
export const deployWait = setup({
  types: { events: {} as DeployWaitEvent, meta: {} as { readonly ensures: readonly never[] } },
  actions,
}).createMachine({
  id: 'deployWait',
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

export type DeployWaitState = 'Waiting' | 'Done' | 'Failed' | 'TimedOut' | 'Stopped';

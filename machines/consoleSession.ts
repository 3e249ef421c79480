import { setup } from 'xstate';

export type ConsoleSessionEvent = {
  readonly type:
    | 'activated'
    | 'attachAwaited'
    | 'attached'
    | 'attachGivenUp'
    | 'created'
    | 'createRefused'
    | 'holderDied'
    | 'lateAttachRefused'
    | 'limitAhead'
    | 'limitReached'
    | 'originRefused'
    | 'secondAttachRefused'
    | 'sessionMissed'
    | 'streamEnded'
    | 'terminalEnded';
};

/** What must hold while a console session is in a state. */
export type ConsoleSessionEnsure = 'noTerminal' | 'terminalOpen';

/** Actions are named here and performed by the runtime; none runs inside a step. */
const named = () => {};
const actions = {
  close: named,
  closeStream: named,
  expire: named,
  fixTimeout: named,
  holdTerminal: named,
  logClosed: named,
  logOpened: named,
  recordStart: named,
  releaseTerminal: named,
};
export type ConsoleSessionAction = keyof typeof actions;

/** The life of a CoreConsoleSession: the arrows of specs/tables/consoleSession.md, no more. */
export const consoleSession = setup({
  types: {
    events: {} as ConsoleSessionEvent,
    meta: {} as { readonly ensures: readonly ConsoleSessionEnsure[] },
  },
  actions,
}).createMachine({
  id: 'consoleSession',
  initial: 'Pending',
  states: {
    Pending: {
      meta: { ensures: [] },
      on: {
        attachGivenUp: { target: 'Pending' },
        attachAwaited: { target: 'Pending' },
        activated: { target: 'Active', actions: ['recordStart', 'fixTimeout'] },
      },
    },
    Active: {
      meta: { ensures: [] },
      on: {
        limitReached: { target: 'Expired', actions: 'expire' },
        originRefused: { target: 'Active' },
        attached: { target: 'Attached', actions: ['holdTerminal', 'logOpened'] },
        limitAhead: { target: 'Active' },
      },
    },
    /** Active, with the one terminal it may have. */
    Attached: {
      meta: { ensures: ['terminalOpen'] },
      on: {
        limitReached: { target: 'Expired', actions: ['expire', 'logClosed'] },
        holderDied: { target: 'Active', actions: ['releaseTerminal', 'logClosed'] },
        secondAttachRefused: { target: 'Attached' },
        terminalEnded: { target: 'Closed', actions: ['close', 'logClosed'] },
        streamEnded: { target: 'Closed', actions: ['closeStream', 'logClosed'] },
        limitAhead: { target: 'Attached' },
      },
    },
    Expired: {
      meta: { ensures: ['noTerminal'] },
      on: { lateAttachRefused: { target: 'Expired' } },
    },
    Closed: {
      meta: { ensures: ['noTerminal'] },
      on: { lateAttachRefused: { target: 'Closed' } },
    },
  },
});

export type ConsoleSessionState = 'Pending' | 'Active' | 'Attached' | 'Expired' | 'Closed';

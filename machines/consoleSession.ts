import { machineOf } from './machine.ts';

/** The life of a CoreConsoleSession: the arrows of specs/tables/consoleSession.md, and no others. */
export const consoleSession = machineOf('consoleSession', {
  initial: 'Pending',
  states: {
    Pending: {
      meta: { ensures: [] },
      on: {
        attachGivenUp: { target: 'Pending' },
        attachAwaited: { target: 'Pending' },
        originRefused: { target: 'Pending' },
        activated: { target: 'Active', actions: 'recordStart' },
      },
    },
    Active: {
      meta: { ensures: [] },
      on: {
        limitReached: { target: 'Expired', actions: 'expire' },
        originRefused: { target: 'Active' },
        targetUnfit: { target: 'Active' },
        attached: { target: 'Attached', actions: ['holdTerminal', 'logOpened'] },
        limitAhead: { target: 'Active' },
      },
    },
    /** Active, with its single terminal open. */
    Attached: {
      meta: { ensures: ['terminalOpen'] },
      on: {
        limitReached: { target: 'Expired', actions: ['expire', 'logClosed'] },
        holderDied: { target: 'Active', actions: ['releaseTerminal', 'logClosed'] },
        originRefused: { target: 'Attached' },
        secondAttachRefused: { target: 'Attached' },
        terminalEnded: { target: 'Closed', actions: ['close', 'logClosed'] },
        streamEnded: { target: 'Closed', actions: ['closeStream', 'logClosed'] },
        limitAhead: { target: 'Attached' },
      },
    },
    Expired: {
      meta: { ensures: ['noTerminal'] },
      on: { originRefused: { target: 'Expired' }, lateAttachRefused: { target: 'Expired' } },
    },
    Closed: {
      meta: { ensures: ['noTerminal'] },
      on: { originRefused: { target: 'Closed' }, lateAttachRefused: { target: 'Closed' } },
    },
  },
});

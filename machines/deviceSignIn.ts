import { machineOf } from './machine.ts';

/** A command line that requests a sign-in: the arrows of specs/tables/deviceSignIn.md, and no others. */
export const deviceSignIn = machineOf('deviceSignIn', {
  initial: 'Pending',
  states: {
    Pending: {
      on: {
        clockSetBack: { target: 'Pending', actions: 'reckonFromNow' },
        expired: { target: 'Expired' },
        gaveWay: { target: 'Expired' },
        tokenTriedToDecide: { target: 'Pending' },
        viewerTriedToDecide: { target: 'Pending' },
        choiceRefused: { target: 'Pending' },
        approved: { target: 'Approved', actions: ['recordApproval', 'logApproval'] },
        refused: { target: 'Refused' },
        polledTooFast: { target: 'Pending', actions: ['recordPoll', 'slowDown'] },
        polled: { target: 'Pending', actions: 'recordPoll' },
        decisionAwaited: { target: 'Pending' },
      },
    },
    /** The id of the token is chosen; its secret is not created before the device collects it. */
    Approved: {
      on: {
        clockSetBack: { target: 'Approved', actions: 'reckonFromNow' },
        expired: { target: 'Expired' },
        tokenCollected: { target: 'Issued', actions: ['mintToken', 'handOver'] },
        decidedAgain: { target: 'Approved' },
        collectionAwaited: { target: 'Approved' },
      },
    },
    Refused: {
      on: {
        clockSetBack: { target: 'Refused', actions: 'reckonFromNow' },
        polledAfterRefusal: { target: 'Refused' },
        decidedAgain: { target: 'Refused' },
        forgettingAwaited: { target: 'Refused' },
      },
    },
    Issued: {
      on: {
        clockSetBack: { target: 'Issued', actions: 'reckonFromNow' },
        polledAfterIssue: { target: 'Issued' },
        decidedAgain: { target: 'Issued' },
        forgettingAwaited: { target: 'Issued' },
      },
    },
    Expired: {
      on: {
        clockSetBack: { target: 'Expired', actions: 'reckonFromNow' },
        polledAfterExpiry: { target: 'Expired' },
        decidedAgain: { target: 'Expired' },
        forgettingAwaited: { target: 'Expired' },
      },
    },
  },
});

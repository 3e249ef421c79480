import { machineOf } from './machine.ts';

const ends = { target: 'Failed', actions: 'recordDelivery' } as const;

/** The life of a webhook delivery: the arrows of specs/tables/webhookDelivery.md, and no others. */
export const webhookDelivery = machineOf('webhookDelivery', {
  initial: 'FirstAttempt',
  states: {
    FirstAttempt: {
      meta: { ensures: [] },
      on: {
        addressRefused: ends,
        received: { target: 'Delivered', actions: 'recordDelivery' },
        testFailed: ends,
        answerRefused: ends,
        attemptFailed: { target: 'SecondAttempt', actions: 'recordAttempt' },
        answerAwaited: { target: 'FirstAttempt' },
        webhookOff: ends,
        slotAwaited: { target: 'FirstAttempt' },
        attemptDue: { target: 'FirstAttempt', actions: ['claimAttempt', 'send'] },
      },
    },
    SecondAttempt: {
      meta: { ensures: [] },
      on: {
        addressRefused: ends,
        received: { target: 'Delivered', actions: 'recordDelivery' },
        answerRefused: ends,
        attemptFailed: { target: 'ThirdAttempt', actions: 'recordAttempt' },
        answerAwaited: { target: 'SecondAttempt' },
        webhookOff: ends,
        waitUnfinished: { target: 'SecondAttempt' },
        slotAwaited: { target: 'SecondAttempt' },
        attemptDue: { target: 'SecondAttempt', actions: ['claimAttempt', 'send'] },
      },
    },
    ThirdAttempt: {
      meta: { ensures: [] },
      on: {
        addressRefused: ends,
        received: { target: 'Delivered', actions: 'recordDelivery' },
        answerRefused: ends,
        attemptsSpent: ends,
        answerAwaited: { target: 'ThirdAttempt' },
        webhookOff: ends,
        waitUnfinished: { target: 'ThirdAttempt' },
        slotAwaited: { target: 'ThirdAttempt' },
        attemptDue: { target: 'ThirdAttempt', actions: ['claimAttempt', 'send'] },
      },
    },
    Delivered: { meta: { ensures: [] } },
    Failed: { meta: { ensures: [] } },
  },
});

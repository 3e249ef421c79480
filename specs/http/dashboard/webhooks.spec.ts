import * as assert from 'uvu/assert';
import type { DeliveryItem } from '../../../http/api.ts';
import {
  answerWord,
  attemptsWord,
  choiceWord,
  chosenEvents,
  eventWords,
  isUnderWay,
} from '../../../http/dashboard/words/webhooks.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('words of webhooks');
const delivery: DeliveryItem = {
  deliveryId: 'd',
  event: 'deployment.started',
  state: 'SecondAttempt',
  statusCode: 503,
  error: 'receiver answered HTTP 503',
  attempts: 1,
  durationMillis: null,
  time: '2027-01-01T00:00:00Z',
  nextAttempt: '2027-01-01T00:00:05Z',
  canRepeat: false,
};

spec('UI-004 a delivery tells how far it has come and what was answered', () => {
  assert.ok(isUnderWay(delivery));
  assert.is(attemptsWord(delivery), '1 of 3 attempts');
  assert.is(attemptsWord({ ...delivery, event: 'test' }), 'one attempt');
  assert.is(attemptsWord({ ...delivery, attempts: 3, durationMillis: 6_000 }), '3 attempts');
  assert.is(attemptsWord({ ...delivery, attempts: 1, durationMillis: 6 }), '1 attempt');
  assert.is(answerWord(delivery), '503');
  assert.is(answerWord({ statusCode: null, error: 'connect ECONNREFUSED' }), 'none');
  assert.is(answerWord({ statusCode: null, error: '' }), '…');
});

spec('WHK-014 all events chosen are stored as none, so that later ones are told of, too', () => {
  assert.equal(chosenEvents(eventWords.map(({ event }) => event)), []);
  assert.equal(chosenEvents(['deployment.failed']), ['deployment.failed']);
  assert.is(choiceWord({ events: [] }), 'every event');
  assert.is(choiceWord({ events: ['deployment.failed', 'deployment.started'] }), 'a deploy starts, a deploy fails');
});

spec.run();

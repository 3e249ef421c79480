import * as assert from 'uvu/assert';
import type { DeliveryItem, Read } from '../../../http/api.ts';
import {
  preconditionsOf,
  prEnvironmentBody,
  prEnvironmentFields,
  prEnvironmentValues,
  capacityText,
} from '../../../http/dashboard/pages/projectSettings/pullRequests/model.ts';
import {
  answerWord,
  attemptsWord,
  choiceWord,
  chosenEvents,
  eventWords,
  isUnderWay,
  resultWords,
  shownDeliveries,
} from '../../../http/dashboard/pages/projectSettings/webhooks/text.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('webhook and pull request pages');
const delivery: DeliveryItem = {
  deliveryId: 'd',
  event: 'deployment.started',
  service: 'web',
  environment: 'production',
  state: 'SecondAttempt',
  statusCode: 503,
  error: 'receiver answered HTTP 503',
  attempts: 1,
  durationMillis: null,
  time: '2027-01-01T00:00:00Z',
  nextAttempt: '2027-01-01T00:00:05Z',
  canRepeat: false,
};

spec('UI-004 a delivery shows its attempts and the answer', () => {
  assert.ok(isUnderWay(delivery));
  assert.is(attemptsWord(delivery), '1 of 3 attempts');
  assert.is(attemptsWord({ ...delivery, event: 'test' }), 'one attempt');
  assert.is(attemptsWord({ ...delivery, attempts: 3, durationMillis: 6_000 }), '3 attempts, 6 s');
  assert.is(attemptsWord({ ...delivery, attempts: 1, durationMillis: 6 }), '1 attempt, 6 ms');
  assert.is(answerWord(delivery), 'receiver answered HTTP 503');
  assert.is(answerWord({ statusCode: 200, error: '' }), 'HTTP 200');
  assert.is(answerWord({ statusCode: null, error: 'connect ECONNREFUSED' }), 'connect ECONNREFUSED');
  assert.is(answerWord({ statusCode: null, error: '' }), 'no answer yet');
});

spec('UI-004 deliveries are filtered by event, result and text', () => {
  const delivered: DeliveryItem = { ...delivery, deliveryId: 'e', state: 'Delivered', service: 'api', error: '' };
  const test: DeliveryItem = { ...delivery, deliveryId: 'f', event: 'test', state: 'Failed', service: '' };
  const shown = (filter: object) =>
    shownDeliveries([delivery, delivered, test], { text: '', event: '', result: '', ...filter })
      .map(({ deliveryId }) => deliveryId)
      .join('');
  assert.is(shown({}), 'def');
  assert.is(shown({ event: 'test' }), 'f');
  assert.equal(
    [...resultWords].map((result) => shown({ result })),
    ['e', 'f', 'd'],
  );
  assert.equal(
    ['API', ' web ', 'http 503', 'none'].map((text) => shown({ text })),
    ['e', 'd', 'def', ''],
  );
});

spec('WHK-014 a choice of all events is stored as an empty list, which includes later events', () => {
  assert.equal(chosenEvents(eventWords.map(({ event }) => event)), []);
  assert.equal(chosenEvents(['deployment.failed']), ['deployment.failed']);
  assert.is(choiceWord({ events: [] }), 'every event');
  assert.is(choiceWord({ events: ['deployment.failed', 'deployment.started'] }), 'a deploy starts, a deploy fails');
});

const project = (fields: object): Read =>
  ({ resource: { name: 'shop' }, spec: { environments: ['production'], ...fields }, status: {} }) as unknown as Read;

spec('UI-008 pull request settings are read into the form and sent back unchanged', () => {
  assert.equal(prEnvironmentValues(project({})), { enabled: '', baseEnvironment: '', maxOpen: '5' });
  const values = prEnvironmentValues(
    project({ prEnvironments: { enabled: true, baseEnvironment: 'staging', maxOpen: 2 } }),
  );
  assert.equal(values, { enabled: 'on', baseEnvironment: 'staging', maxOpen: '2' });
  assert.equal(prEnvironmentBody(values), { enabled: true, baseEnvironment: 'staging', maxOpen: 2 });
  assert.equal(prEnvironmentBody({ ...values, maxOpen: ' ', baseEnvironment: '' }), {
    enabled: true,
    baseEnvironment: '',
    maxOpen: 5,
  });
  assert.is(capacityText([], values), '0 of 2 are open');
});

spec('UI-008 the base environment is chosen among environments that belong to no pull request', () => {
  const options = (stored: string) => {
    const read = project({
      environments: ['production', 'staging', 'pr-7'],
      prEnvironments: { enabled: true, baseEnvironment: stored },
    });
    const status = { pullRequests: [{ environment: 'pr-7' }] };
    return prEnvironmentFields({ ...read, status }).find(({ name }) => name === 'baseEnvironment')?.options;
  };
  const first = { value: '', label: 'The first one (production)' };
  assert.equal(options(''), [first, 'production', 'staging']);
  assert.equal(options('pr-7'), [first, 'production', 'staging', 'pr-7']);
  assert.equal(options('qa'), [first, 'production', 'staging', { value: 'qa', label: 'qa (not there)' }]);
});

spec('GIT-022 the page lists the missing preconditions of pull request environments', () => {
  const holds = (of: object) => preconditionsOf(project(of)).map((one) => one.holds);
  assert.equal(holds({}), [false, false, true]);
  const linked = { gitConnectionRef: { name: 'shop-git' } };
  assert.equal(holds({ ...linked, prEnvironments: { enabled: true } }), [true, true, true]);
  assert.equal(holds({ ...linked, prEnvironments: { enabled: true, baseEnvironment: 'qa' } }), [true, true, false]);
});

spec.run();

import { Effect } from 'effect';
import type { ReceiverAnswer } from '../../../../rules/webhookDelivery/facts.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import { later } from '../database/engines.ts';
import type { Act, Path } from '../subject.ts';
import { apps } from '../../../../runtime/services/cluster/kinds.ts';
import { appIn, deliveriesIn, isAnnounced, putAll, putBuilt, putDeployed } from './objects.ts';

const answered = (code: number): ReceiverAnswer => ({ is: 'answered', code });

/** A receiver that answers so, one after the other, and the last one for ever. */
const answering =
  (...codes: readonly number[]) =>
  (environment: TestEnvironment) => {
    let at = 0;
    environment.receivers.answer = () => Effect.sync(() => answered(codes[Math.min(at++, codes.length - 1)] ?? 200));
  };

/** A receiver that never answers: the limit of a request ends it. */
const hanging = (environment: TestEnvironment) => {
  environment.receivers.answer = () =>
    Effect.as(Effect.sleep(10_000), { is: 'networkError', why: 'receiver did not answer within 10 s' });
};

const areOver = (environment: TestEnvironment, count: number) => {
  const deliveries = deliveriesIn(environment);
  return deliveries.length === count && deliveries.every(({ durationMillis }) => durationMillis !== undefined);
};
const isOver = (environment: TestEnvironment) => areOver(environment, 1);

const once = (text: string, edit: (environment: TestEnvironment) => void): Act => ({ text, when: isOver, edit });
const isReady = once('the service is ready', (environment) => putDeployed(environment, 'True'));
const isGivenUp = once('the service is given up', (environment) =>
  putDeployed(environment, 'False', 'ProvisionFailed'),
);
const isBuilt = once('its build succeeds', (environment) => putBuilt(environment, 'Succeeded'));
const isNotBuilt = once('its build fails', (environment) => putBuilt(environment, 'Failed'));
/** The service goes a second after nothing of its deploy is left to announce. */
const goes = later(
  (environment) => areOver(environment, 2) && appIn(environment) !== undefined && !isAnnounced(environment),
  'the service is deleted',
  ({ cluster }) => cluster.drop(apps, 'web'),
);
const leaving = 'a deploy that succeeds, and its service goes';

const told: readonly (readonly [name: string, end: string, given: Path['given'], ...script: readonly Act[]])[] = [
  ['a deploy that succeeds', 'Delivered', answering(200), isReady],
  [leaving, 'Delivered', answering(200), isReady],
  ['a deploy whose build succeeds', 'Delivered', answering(200), isBuilt],
  ['a deploy whose build fails', 'Delivered', answering(200), isNotBuilt],
  ['a deploy that is given up', 'Delivered', answering(204), isGivenUp],
  ['a receiver that fails twice', 'Delivered', answering(503, 429, 200), isReady],
  ['a receiver that fails', 'Failed', answering(500)],
  ['a receiver that refuses', 'Failed', answering(410)],
  ['a receiver that hangs', 'Failed', hanging],
];

/** The lives of a deploy's deliveries. */
export const deliveryPaths: readonly Path[] = told.map(([name, end, prepare, ...script]) => ({
  name,
  given: (environment) => {
    prepare(environment);
    putAll(environment);
    if (name.includes('build')) putBuilt(environment, 'Running');
  },
  script,
  actors: (environment) => (name === leaving ? [goes(environment)] : []),
  // A process that dies takes an attempt with it, and so may a receiver that fails get the better of another.
  ends: end === 'Delivered' ? ['Delivered', 'Failed'] : [end],
  mayDiffer: () => true,
}));
